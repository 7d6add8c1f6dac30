import { z } from "zod";
import { csvFormat, listInput } from "@/lib/api/list";
import {
  authorSchema,
  entryKeySchema,
  entryNameSchema,
  entryValueSchema,
  variableKindSchema,
} from "@/lib/features/configuration/schema";
import { idSchema } from "@/lib/kernel/ids-schema";
import { ifUpdatedAtSchema } from "@/lib/kernel/if-updated-at-schema";
import { statusSchema } from "@/lib/kernel/status-schema";

/** A variable without its value: what lists and answers to changes show of a secure one. */
export const secureVariableSchema = z.object({
  id: idSchema,
  environmentId: idSchema,
  name: z.string(),
  key: z.string(),
  status: statusSchema,
  /** The configuration version that changed it last. */
  version: z.int(),
  updatedAt: z.iso.datetime(),
  /** Null where the account is no more. */
  updatedBy: authorSchema.nullable(),
});
export type SecureVariable = z.output<typeof secureVariableSchema>;

/** A variable with its value. */
export const variableSchema = secureVariableSchema.extend({ value: z.string() });
export type Variable = z.output<typeof variableSchema>;

export const createVariableInput = z.strictObject({
  environmentId: idSchema,
  name: entryNameSchema,
  key: entryKeySchema,
  value: entryValueSchema,
  status: statusSchema.default("active"),
});

/** What is left out stays. */
export const updateVariableInput = z.strictObject({
  id: idSchema,
  ifUpdatedAt: ifUpdatedAtSchema,
  name: entryNameSchema.optional(),
  key: entryKeySchema.optional(),
  value: entryValueSchema.optional(),
  status: statusSchema.optional(),
});

export const variableInput = z.strictObject({ id: idSchema });

/** A search looks into names and keys. */
export const variablesInput = listInput({
  sorts: ["name", "key", "updatedAt", "status"],
  filters: { environmentId: idSchema, status: statusSchema.optional(), ...csvFormat },
});

export const VARIABLE_FORMATS = ["dotenv", "json", "yaml"] as const;
export type VariableFormat = (typeof VARIABLE_FORMATS)[number];
const formatSchema = z.enum(VARIABLE_FORMATS);

/** The longest text of an import, in characters. */
export const MAX_IMPORT = 1024 * 1024;
/** The most variables of one import. */
export const MAX_IMPORTED_VARIABLES = 10_000;
/** The most issues that an import names. */
export const MAX_IMPORT_ISSUES = 100;

/** Why a line cannot be imported; keys below `importIssues` of the messages. */
export const IMPORT_ISSUES = [
  "afterQuote",
  "characters",
  "duplicate",
  "key",
  "nested",
  "noMapping",
  "syntax",
  "tooLong",
  "tooMany",
  "unclosedQuote",
  "unsupported",
] as const;

export const importVariablesInput = z.strictObject({
  environmentId: idSchema,
  kind: variableKindSchema,
  format: formatSchema,
  text: z.string().min(1).max(MAX_IMPORT),
  /** `merge` keeps the variables that the file does not have, `replace` deletes them. */
  mode: z.enum(["merge", "replace"]),
  /** Only tells what would change. */
  dryRun: z.boolean().default(false),
});

/** What an import or a copy changed, or would change. With errors, nothing. */
export const importVariablesOutput = z.object({
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  removed: z.int(),
  /** The variables that differ, by key. */
  changes: z.array(
    z.object({
      key: z.string(),
      action: z.enum(["create", "update", "delete"]),
      /** In a dry run, the value of a development variable now. */
      before: z.string().optional(),
      /** The same after the change. */
      after: z.string().optional(),
    }),
  ),
  /** There only where the values were left out because they are longer than 16 MiB together. */
  valuesOmitted: z.literal(true).optional(),
  /** In the order of the lines; at most 100. */
  errors: z.array(z.object({ line: z.int(), code: z.enum(IMPORT_ISSUES), message: z.string() })).max(MAX_IMPORT_ISSUES),
  /** The number of the current configuration version. */
  version: z.int(),
});

export const exportVariablesInput = z.strictObject({
  environmentId: idSchema,
  kind: variableKindSchema,
  format: formatSchema,
});

/** Variables are exported as long as their values have at most this together, in bytes. */
export const MAX_EXPORT_BYTES = 64 * 1024 * 1024;
