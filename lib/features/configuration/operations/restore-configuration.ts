import "server-only";
import type { z } from "zod";
import { defineCommand } from "@/lib/api/operation";
import type { Db } from "@/lib/db/client";
import { environmentTarget } from "@/lib/features/environments/data";
import { authorizeTarget } from "@/lib/permissions/authorize";
import { authorizeSecondFactor } from "@/lib/permissions/second-factor";
import { withConfigurationChange } from "../data/changes";
import { kindsChangedSince, planRestore } from "../data/differences";
import { accessToKind } from "../data/entries";
import { ENTRY_KINDS, restoreConfigurationInput, restoreConfigurationOutput } from "../schema";

/** The kinds of which a restoration changes entries, and what it requires for them. */
async function touchedKinds(input: z.output<typeof restoreConfigurationInput>, db: Db) {
  const kinds = await kindsChangedSince(db, { ...input, kinds: input.kinds ?? ENTRY_KINDS });
  return { kinds, requires: kinds.map((kind) => accessToKind(kind, "write")) };
}

/**
 * Makes a new version of an environment's configuration with the content of an old one. The caller needs the right to
 * change each kind of which entries were changed since. With `key`, only the entries of that key are restored. Where nothing
 * differs, the current version stays.
 */
export const restoreConfiguration = defineCommand({
  area: "apps",
  name: "restore-configuration",
  summary:
    "Restore a version of an environment’s configuration; needs the write scope of each kind that has changed since",
  access: "any-scope",
  input: restoreConfigurationInput,
  output: restoreConfigurationOutput,
  status: 200,
  errors: ["conflict"],
  rateLimit: { points: 120, seconds: 60, by: "actor" },
  audit: { table: "ConfigurationVersion", action: "restore" },
  async target(input, db) {
    const target = await environmentTarget(db, input.environmentId);
    if (!target || input.version > target.environment.configurationVersion) return null;
    return { ...target, ...(await touchedKinds(input, db)) };
  },
  async handler({ input, actor, target, request, tx }) {
    const { environmentId } = target;
    const place = { environmentId, actor, now: request.now, restoredFrom: input.version };
    const { version, changes } = await withConfigurationChange(tx, place, async () => {
      // Another kind may have been changed since the target was loaded. The check before the commit covers it too.
      Object.assign(target, await touchedKinds(input, tx));
      authorizeTarget("any-scope", actor, target);
      authorizeSecondFactor(undefined, actor, request.now, target);
      return planRestore(tx, { environmentId, version: input.version, kinds: target.kinds, key: input.key });
    });
    const previous = changes.length > 0 ? version - 1 : version;
    return {
      output: { version },
      audit: {
        recordId: environmentId,
        changes: {
          version: [previous, version],
          restoredFrom: [null, input.version],
          entries: [null, changes.length],
        },
      },
    };
  },
});
