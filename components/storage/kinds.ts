import type { PlotTone } from "@/components/common/plots/plot-series";
import type { Storage } from "@/lib/features/retention/schema";

type StorageKind = keyof Storage["all"]["bytes"];

/** The kinds of files in the order in which they are shown, each with its color. */
export const STORAGE_KINDS: readonly { kind: StorageKind; tone: PlotTone }[] = [
  { kind: "ipa", tone: "first" },
  { kind: "apk", tone: "second" },
  { kind: "aab", tone: "third" },
  { kind: "other", tone: "rest" },
  { kind: "bin", tone: "fourth" },
];
