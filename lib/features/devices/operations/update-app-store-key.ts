import "server-only";
import { requireUnchanged } from "@/lib/api/expected";
import { defineCommand } from "@/lib/api/operation";
import { changesBetween } from "@/lib/audit/write";
import { lockUntilCommit } from "@/lib/db/locks";
import { environmentTarget } from "@/lib/features/environments/data";
import { chooseAppStoreKey, readAppStoreKey, replaceAppStoreKey } from "../internal/app-store-key";
import { type AppStoreKey, appStoreKeySchema, updateAppStoreKeyInput } from "../schema";

const facts = ({ certificate, keyId, issuerId }: AppStoreKey) => {
  return { certificateId: certificate?.id ?? null, keyId, issuerId };
};

/** Chooses the key of App Store Connect by which an environment registers devices with Apple, or none. Apple is not asked. */
export const updateAppStoreKey = defineCommand({
  area: "devices",
  name: "update-app-store-key",
  summary: "Choose the App Store Connect key with which an environment registers devices with Apple",
  access: "secure-certificate:write",
  secondFactor: "enrolled",
  input: updateAppStoreKeyInput,
  output: appStoreKeySchema,
  status: 200,
  errors: ["conflict"],
  audit: { table: "Environment", action: "update-app-store-key" },
  target: ({ environmentId }, db) => environmentTarget(db, environmentId),
  prepare: async ({ input, db }) => ({ key: await chooseAppStoreKey(db, input) }),
  async handler({ input: { environmentId, ifUpdatedAt }, tx, request, prepared }) {
    await lockUntilCommit(tx, `app-store-key:${environmentId}`);
    const before = await readAppStoreKey(tx, environmentId);
    requireUnchanged(before, ifUpdatedAt);
    await replaceAppStoreKey(tx, environmentId, prepared.key, request.now);
    const after = await readAppStoreKey(tx, environmentId);
    return { output: after, audit: { recordId: environmentId, changes: changesBetween(facts(before), facts(after)) } };
  },
});
