import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { environmentTarget } from "@/lib/features/environments/data";
import { readSigningKey } from "../internal/signing-key";
import { signingKeyInput, signingKeySchema } from "../schema";

/** Whose key signs the APKs that are made of an environment's bundles. Neither the key nor a password is in the answer. */
export const getSigningKey = defineQuery({
  area: "apps",
  name: "get-signing-key",
  summary: "Get whose key signs the APKs that are made of an environment’s bundles",
  access: "secure-certificate:read",
  secondFactor: "enrolled",
  input: signingKeyInput,
  output: signingKeySchema,
  errors: [],
  target: (input, db) => environmentTarget(db, input.environmentId),
  handler: ({ input, db }) => readSigningKey(db, input.environmentId),
});
