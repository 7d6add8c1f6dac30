import { newId } from "@/lib/kernel/ids";
import { anAppStoreKey } from "@/lib/testing/app-store-connect";
import { anApp, send } from "@/lib/testing/console";
import { customSample } from "@/lib/testing/sample";
import { startAppleRegistration } from "./start-apple-registration";

export const sample = customSample(startAppleRegistration, {
  input: () => ({ environmentId: newId() }),
  arrange: async ({ admin, verifiedAdmin }) => {
    // One of its own, because an environment has one registration at a time.
    const environmentId = (await anApp()).environmentIds[0] as string;
    await anAppStoreKey(verifiedAdmin, environmentId);
    return (sender = admin) => send(startAppleRegistration, sender, { environmentId });
  },
});
