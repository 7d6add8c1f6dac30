import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { environmentTarget } from "@/lib/features/environments/data";
import { importVariablesOutput } from "@/lib/features/variables/schema";
import { invalidField } from "@/lib/kernel/errors";
import { currentVersion, withConfigurationChange } from "../data/changes";
import { planCopy } from "../data/copies";
import { accessToKind } from "../data/entries";
import { describeChanges } from "../data/planned-changes";
import { copyVariablesInput } from "../schema";

/**
 * Gives an environment the values that entries have in another one, as one version of its configuration. The name and status
 * of an entry that exists stay; a new one gets those of the copied one. A copy of secrets, also a dry run, reads and compares
 * them, so it requires what a reveal requires in both environments, and the record has the number of compared values.
 */
export const copyVariables = defineCommand({
  area: "apps",
  name: "copy-variables",
  summary:
    "Copy variables or certificates to another environment; needs the read scope at the source and the write scope at the target",
  access: "any-scope",
  input: copyVariablesInput,
  output: importVariablesOutput,
  status: 200,
  errors: ["conflict"],
  rateLimit: { points: 600, seconds: 60, by: "actor" },
  audit: { table: "ConfigurationVersion", action: "copy" },
  maxJsonBytes: 2 * 1024 * 1024,
  async target({ fromEnvironmentId, toEnvironmentId, kind }, db) {
    const [source, target] = await Promise.all([
      environmentTarget(db, fromEnvironmentId),
      environmentTarget(db, toEnvironmentId),
    ]);
    if (!source || !target) return null;
    const reveal = accessToKind(kind, "reveal");
    // The answer says which values are the same.
    return { ...target, requires: [accessToKind(kind, "write"), reveal, { ...reveal, target: source }] };
  },
  async handler({ input, actor, request, tx }) {
    const { fromEnvironmentId, toEnvironmentId, kind, keys, dryRun } = input;
    if (fromEnvironmentId === toEnvironmentId) throw invalidField("toEnvironmentId", "otherEnvironment");
    const before = await currentVersion(tx, toEnvironmentId);
    const plan = () => planCopy(tx, { fromEnvironmentId, toEnvironmentId, kind, keys });
    const { version, changes } = dryRun
      ? { version: before, changes: await plan() }
      : await withConfigurationChange(tx, { environmentId: toEnvironmentId, actor, now: request.now }, plan);
    const { created, updated, removed, ...differences } = describeChanges(changes, { withValues: dryRun });
    const unchanged = keys.length - created - updated;
    const compared = kind === "dev-variable" ? {} : { compared: updated + unchanged };
    const done = { kind, fromEnvironmentId, created, updated, ...compared };
    return {
      output: { created, updated, unchanged, removed, ...differences, errors: [], version },
      audit: {
        recordId: toEnvironmentId,
        action: dryRun ? "copy-previewed" : "copy",
        changes: {
          ...Object.fromEntries(Object.entries(done).map(([name, value]) => [name, [null, value] as [null, unknown]])),
          version: [version === before ? before : version - 1, version],
        },
      },
    };
  },
});
