import type { Storage } from "@/lib/features/retention/schema";

export type StorageKind = keyof Storage["all"]["bytes"];

/** The kinds of files in the order in which they are shown, each with its color. */
export const STORAGE_KINDS: readonly { kind: StorageKind; fill: string; swatch: string }[] = [
  { kind: "ipa", fill: "fill-primary", swatch: "bg-primary" },
  { kind: "apk", fill: "fill-success", swatch: "bg-success" },
  { kind: "aab", fill: "fill-info", swatch: "bg-info" },
  { kind: "other", fill: "fill-muted-foreground", swatch: "bg-muted-foreground" },
  { kind: "bin", fill: "fill-warning", swatch: "bg-warning" },
];
