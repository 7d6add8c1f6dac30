import { send } from "@/lib/testing/console";
import { customSample } from "@/lib/testing/sample";
import { aVariable } from "@/lib/testing/variables";
import { restoreConfiguration } from "./restore-configuration";

export const sample = customSample(restoreConfiguration, {
  input: ({ environmentId }) => ({ environmentId, version: 1 }),
  arrange: async ({ admin, environmentId }, owner = admin) => {
    const { version } = await aVariable("dev-variable", admin, { environmentId });
    await aVariable("dev-variable", admin, { environmentId });
    const input = { environmentId, version, kinds: ["dev-variable"] };
    return (sender = owner) => send(restoreConfiguration, sender, input);
  },
});
