import { db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { send } from "@/lib/testing/console";
import { customSample } from "@/lib/testing/sample";
import { aVariable } from "@/lib/testing/variables";
import { copyVariables } from "./copy-variables";

const kind = "dev-variable" as const;

export const sample = customSample(copyVariables, {
  input: ({ environmentId }) => ({
    fromEnvironmentId: environmentId,
    toEnvironmentId: environmentId,
    kind,
    keys: ["KEY"],
  }),
  arrange: async ({ admin, app, environmentId }, owner = admin) => {
    const source = await db.environment.create({ data: { id: newId(), appId: app.appId, name: `Source ${newId()}` } });
    const { key } = await aVariable(kind, admin, { environmentId: source.id });
    const input = { fromEnvironmentId: source.id, toEnvironmentId: environmentId, kind, keys: [key] };
    return (sender = owner) => send(copyVariables, sender, input);
  },
});
