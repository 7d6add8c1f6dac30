import { makeAab } from "@slipway/installers/testing";
import { newId } from "@/lib/kernel/ids";
import { send } from "@/lib/testing/console";
import { publish } from "@/lib/testing/releases";
import { customSample } from "@/lib/testing/sample";
import { retryUniversalApk } from "./retry-universal-apk";

export const sample = customSample(retryUniversalApk, {
  input: () => ({ id: newId() }),
  arrange: async ({ admin, app, environmentId }, owner = admin) => {
    const extraEntries = [{ name: "base/assets/seed.txt", data: Buffer.from(crypto.randomUUID()) }];
    const bundle = makeAab({ identifier: app.identifier, extraEntries });
    const { body } = await publish(admin, bundle, "Example.aab", { environmentId });
    return (sender = owner) => send(retryUniversalApk, sender, { id: body.id });
  },
});
