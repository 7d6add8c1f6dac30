import { z } from "zod";
import { listInput } from "@/lib/api/list";
import { statusSchema } from "@/lib/features/auth/schema";
import { authorSchema, entryKeySchema, entryNameSchema, entryValueSchema } from "@/lib/features/configuration/schema";
import { idSchema } from "@/lib/kernel/ids-schema";

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
  name: entryNameSchema.optional(),
  key: entryKeySchema.optional(),
  value: entryValueSchema.optional(),
  status: statusSchema.optional(),
});

export const variableInput = z.strictObject({ id: idSchema });

/** A search looks into names and keys. */
export const variablesInput = listInput({
  sorts: ["name", "key", "updatedAt"],
  filters: { environmentId: idSchema, status: statusSchema.optional() },
});
