import { z } from "zod";
import { listInput, listOutput, repeatable } from "@/lib/api/list";
import { idSchema } from "@/lib/kernel/ids-schema";
import { nameSchema } from "@/lib/kernel/name-schema";
import { unique } from "@/lib/kernel/unique";
import type { Scope } from "@/lib/permissions/scopes";

/** The kinds of entries of a configuration, as their scopes name them. */
export const ENTRY_KINDS = ["dev-variable", "secure-variable", "secure-certificate"] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];
/** The kinds whose entries have a key and a text as their value. */
export const VARIABLE_KINDS = ["dev-variable", "secure-variable"] as const;
export type VariableKind = (typeof VARIABLE_KINDS)[number];

const entryKindSchema = z.enum(ENTRY_KINDS);
export const variableKindSchema = z.enum(VARIABLE_KINDS);

/** The scope for reading or changing the entries of a kind. */
export function scopeOfKind(kind: EntryKind, right: "read" | "write"): Extract<Scope, `${EntryKind}:${string}`> {
  return `${kind}:${right}`;
}

/** The longest key, in characters. */
export const MAX_KEY = 128;
/** The longest value of a variable, in bytes of UTF-8. */
const MAX_VALUE_BYTES = 65_536;

const KEY_PATTERN = /^[A-Za-z_][A-Za-z0-9_.-]*$/;

export const entryNameSchema = nameSchema;
export const entryKeySchema = z.string().min(1).max(MAX_KEY).regex(KEY_PATTERN, { error: "entryKey" });

/** A value of a variable: at least one character, as forms require. Kept byte for byte. */
export const entryValueSchema = z
  .string()
  .min(1)
  .refine(isShortEnough, { error: "valueBytes", params: { values: { limit: MAX_VALUE_BYTES }, code: "too_big" } })
  .meta({ maxLength: MAX_VALUE_BYTES });

/** Whether a value of a variable is at most MAX_VALUE_BYTES long in UTF-8. */
export function isShortEnough(value: string): boolean {
  if (value.length > MAX_VALUE_BYTES) return false;
  return value.length * 3 <= MAX_VALUE_BYTES || new TextEncoder().encode(value).length <= MAX_VALUE_BYTES;
}

/** The number of a configuration version. */
export const versionNumberSchema = z.int().min(1).max(2_147_483_647);

/** Who changed something: a user or an API token. */
export const authorSchema = z.object({ kind: z.enum(["user", "token"]), id: idSchema, name: z.string() });
export type Author = z.output<typeof authorSchema>;

/** The most changes of one version that a list shows. */
export const MAX_SHOWN_CHANGES = 100;

const configurationVersionSchema = z.object({
  version: versionNumberSchema,
  at: z.iso.datetime(),
  /** Null where the account is no more. */
  by: authorSchema.nullable(),
  /** The version whose content it restored. */
  restoredFrom: versionNumberSchema.nullable(),
  /** How many entries it changed. */
  changeCount: z.int(),
  /** The first 100 of them, by kind and key. A changed key is the deletion of one entry and the creation of another. */
  changes: z
    .array(
      z.object({
        kind: entryKindSchema,
        key: z.string(),
        name: z.string(),
        action: z.enum(["create", "update", "delete"]),
      }),
    )
    .max(MAX_SHOWN_CHANGES),
});
export type ConfigurationVersion = z.output<typeof configurationVersionSchema>;

/** With `key`, the versions that changed entries of that key. */
export const configurationVersionsInput = listInput({
  sorts: ["-version"],
  filters: { environmentId: idSchema, key: entryKeySchema.optional() },
}).omit({ search: true });
export const configurationVersionsOutput = listOutput(configurationVersionSchema);

/** A version by its number, 0 for the configuration before the first one, or the current one. */
const versionSchema = z.union([
  z.literal("current"),
  z.literal("0").transform(Number),
  z.coerce.number().pipe(versionNumberSchema),
]);

export const configurationDiffInput = z.strictObject({
  environmentId: idSchema,
  from: versionSchema,
  to: versionSchema,
});

/** Values of development variables are left out of a comparison where they are longer than this together, in bytes. */
export const MAX_DIFF_BYTES = 16 * 1024 * 1024;

const changedField = z.tuple([z.unknown(), z.unknown()]);

export const configurationDiffSchema = z.object({
  /** The compared versions; 0 is the configuration before the first. */
  from: z.int(),
  to: z.int(),
  items: z.array(
    z.object({
      kind: entryKindSchema,
      key: z.string(),
      change: z.enum(["added", "removed", "changed"]),
      /** The value of a development variable in `from`, for callers with `dev-variable:read`. */
      before: z.string().optional(),
      /** The same in `to`. */
      after: z.string().optional(),
      /** Whether the value differs. That of a secret is never shown. */
      valueChanged: z.boolean(),
      /** What else differs: field → [in `from`, in `to`]. Details of certificates are there for callers who may list these. */
      fields: z.record(z.string(), changedField),
    }),
  ),
  /** There only where the values were left out because they are longer than 16 MiB together. */
  valuesOmitted: z.literal(true).optional(),
});
export type ConfigurationDiff = z.output<typeof configurationDiffSchema>;

export const restoreConfigurationInput = z.strictObject({
  environmentId: idSchema,
  version: versionNumberSchema,
  /** Left out, all. */
  kinds: z.array(entryKindSchema).min(1).max(ENTRY_KINDS.length).transform(unique).optional(),
  /** Left out, those of all keys. */
  key: entryKeySchema.optional(),
});
export const restoreConfigurationOutput = z.object({ version: z.int() });

/** The number of keys that are compared at once, unless the caller asks for fewer. */
const MAX_MATRIX_KEYS = 1_000;

/** The most environments that a comparison can be narrowed to. */
const MAX_COMPARED_ENVIRONMENTS = 100;

/**
 * With `state=missing`, the keys that some environment lacks; with `different`, those too whose status or, except for secure
 * variables, value differs. A search looks into names and keys.
 */
export const variablesMatrixInput = listInput({
  sorts: ["key"],
  filters: {
    appId: idSchema,
    kind: entryKindSchema,
    /** The environments to compare, in their order; left out, all that the caller reads. */
    environmentIds: repeatable(idSchema, MAX_COMPARED_ENVIRONMENTS).transform(unique).optional(),
    /** Whether the answer has the values of development variables. */
    values: z.union([z.boolean(), z.stringbool({ truthy: ["true"], falsy: ["false"] })]).default(false),
    state: z.enum(["missing", "different"]).optional(),
    limit: z.coerce.number().int().min(1).max(MAX_MATRIX_KEYS).default(MAX_MATRIX_KEYS),
  },
});

export const variablesMatrixSchema = z.object({
  /** Those in which the caller reads entries of the kind, by name, or as `environmentIds` names them. */
  environments: z.array(z.object({ id: idSchema, name: z.string() })),
  /** One page of the keys. */
  rows: z.array(
    z.object({
      key: z.string(),
      /** In the first environment that has the key. */
      name: z.string(),
      /** In the order of the environments. */
      cells: z.array(
        z.object({
          environmentId: idSchema,
          state: z.enum(["set", "inactive", "missing"]),
          /** Whether it is the same as in the first environment that has the key; not told of secure variables. */
          same: z.boolean().optional(),
          /** With `environmentIds`: the key is missing here alone, of three or more environments that the caller reads. */
          onlyGap: z.literal(true).optional(),
          /** With `values`, of a development variable. */
          value: z.string().optional(),
        }),
      ),
    }),
  ),
  /** There only where the values were left out because they are longer than 16 MiB together. */
  valuesOmitted: z.literal(true).optional(),
  nextCursor: z.string().nullable(),
  /** How many keys there are on all pages. */
  total: z.int(),
  /** How many keys are missing in some environment, regardless of the search. */
  missing: z.int(),
});
export type VariablesMatrix = z.output<typeof variablesMatrixSchema>;

/** The most entries of one copy. */
const MAX_COPIED_ENTRIES = 10_000;

export const copyVariablesInput = z.strictObject({
  fromEnvironmentId: idSchema,
  toEnvironmentId: idSchema,
  kind: entryKindSchema,
  keys: z.array(entryKeySchema).min(1).max(MAX_COPIED_ENTRIES).transform(unique),
  /** Only tells what would change. */
  dryRun: z.boolean().default(false),
});
