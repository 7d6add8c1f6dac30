import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { environmentTarget } from "@/lib/features/environments/data";
import { accessToKind, kindsChangedSince, planRestore, withConfigurationChange } from "../data";
import { ENTRY_KINDS, restoreConfigurationInput, restoreConfigurationOutput } from "../schema";

/**
 * Makes a new version of an environment's configuration with the content of an old one. The caller needs the right to
 * change each kind of which entries were changed since. With `key`, only the entries of that key are restored. Where nothing
 * differs, the current version stays.
 */
export const restoreConfiguration = defineCommand({
  area: "apps",
  name: "restore-configuration",
  summary:
    "Restore a version of an environment's configuration; needs the write scope of each kind that was changed since",
  access: "any-scope",
  input: restoreConfigurationInput,
  output: restoreConfigurationOutput,
  status: 200,
  errors: [],
  audit: { table: "ConfigurationVersion", action: "restore" },
  async target({ environmentId, version, key, kinds = [...ENTRY_KINDS] }, db) {
    const target = await environmentTarget(db, environmentId);
    if (!target || version > target.environment.configurationVersion) return null;
    const touched = await kindsChangedSince(db, { environmentId, version, kinds, key });
    return { ...target, kinds: touched, requires: touched.map((kind) => accessToKind(kind, "write")) };
  },
  async handler({ input, actor, target: { environmentId, kinds }, request, tx }) {
    const place = { environmentId, actor, now: request.now, restoredFrom: input.version };
    const { version, changes } = await withConfigurationChange(tx, place, () =>
      planRestore(tx, { environmentId, version: input.version, kinds, key: input.key }),
    );
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
