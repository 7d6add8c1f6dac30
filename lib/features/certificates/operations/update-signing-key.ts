import "server-only";
import { requireUnchanged } from "@/lib/api/expected";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { lockUntilCommit } from "@/lib/db/locks";
import { accessToKind } from "@/lib/features/configuration/data/entries";
import { environmentTarget } from "@/lib/features/environments/data";
import { actorId } from "@/lib/permissions/actor";
import { chooseKey, readSigningKey, replaceSigningKey } from "../internal/signing-key";
import { type SigningKey, signingKeySchema, updateSigningKeyInput } from "../schema";

const facts = ({ certificate, alias }: SigningKey) => ({ certificateId: certificate?.id ?? null, alias });

/**
 * Chooses the certificate file whose key signs the APKs that are made of an environment's bundles from now on, or none: then the
 * console's own key of the application does. The key is found and opened before it is stored.
 */
export const updateSigningKey = defineCommand({
  area: "apps",
  name: "update-signing-key",
  summary: "Choose the key that signs the APKs that are made of an environment’s bundles",
  access: "secure-certificate:write",
  secondFactor: "enrolled",
  input: updateSigningKeyInput,
  output: signingKeySchema,
  status: 200,
  errors: ["invalid_certificate", "conflict"],
  audit: { table: "Environment", action: "update-signing-key" },
  async target(input, db) {
    const target = await environmentTarget(db, input.environmentId);
    // A password is tried on the stored file, so the answer tells whether it is right.
    const requires = input.keyPassword === undefined ? [] : [accessToKind("secure-certificate", "reveal")];
    return target && { ...target, requires };
  },
  prepare: ({ input, actor, db, request }) =>
    chooseKey(db, input, { id: actorId(actor), signal: request.signal }).then((key) => ({ key })),
  async handler({ input: { environmentId, ifUpdatedAt }, tx, request, prepared }) {
    await lockUntilCommit(tx, `signing-key:${environmentId}`);
    const before = await readSigningKey(tx, environmentId);
    requireUnchanged(before, ifUpdatedAt);
    await replaceSigningKey(tx, environmentId, prepared.key, request.now);
    const after = await readSigningKey(tx, environmentId);
    return { output: after, audit: { recordId: environmentId, changes: changesBetween(facts(before), facts(after)) } };
  },
});
