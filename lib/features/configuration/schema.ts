import { z } from "zod";
import { idSchema } from "@/lib/kernel/ids-schema";
import type { Scope } from "@/lib/permissions/scopes";

/** The kinds of entries of a configuration, as their scopes name them. */
export const ENTRY_KINDS = ["dev-variable", "secure-variable", "secure-certificate"] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];
/** The kinds whose entries have a key and a text as their value. */
export const VARIABLE_KINDS = ["dev-variable", "secure-variable"] as const;
export type VariableKind = (typeof VARIABLE_KINDS)[number];

export const entryKindSchema = z.enum(ENTRY_KINDS);
export const variableKindSchema = z.enum(VARIABLE_KINDS);

/** The scope for reading or changing the entries of a kind. */
export function scopeOfKind(kind: EntryKind, right: "read" | "write"): Extract<Scope, `${EntryKind}:${string}`> {
  return `${kind}:${right}`;
}

/** The longest key, in characters. */
export const MAX_KEY = 128;
/** The longest value of a variable, in bytes of UTF-8. */
export const MAX_VALUE_BYTES = 65_536;

export const KEY_PATTERN = /^[A-Za-z_][A-Za-z0-9_.-]*$/;

export const entryNameSchema = z.string().trim().min(1).max(100);
export const entryKeySchema = z.string().min(1).max(MAX_KEY).regex(KEY_PATTERN, { error: "entryKey" });

/** A value of a variable: at least one character, as forms require. Kept byte for byte. */
export const entryValueSchema = z
  .string()
  .min(1)
  .max(MAX_VALUE_BYTES)
  .refine(isShortEnough, { error: "valueBytes", params: { values: { limit: MAX_VALUE_BYTES }, code: "too_big" } });

/** Whether a value of a variable is at most MAX_VALUE_BYTES long in UTF-8. */
export function isShortEnough(value: string): boolean {
  return value.length * 3 <= MAX_VALUE_BYTES || new TextEncoder().encode(value).length <= MAX_VALUE_BYTES;
}

/** The number of a configuration version. */
export const versionNumberSchema = z.int().min(1).max(2_147_483_647);

/** Who changed something: a user or an API token. */
export const authorSchema = z.object({ kind: z.enum(["user", "token"]), id: idSchema, name: z.string() });
export type Author = z.output<typeof authorSchema>;
