import { randomUUID } from "node:crypto";
import { send } from "@/lib/testing/console";
import { aPushEndpoint } from "@/lib/testing/push";
import { customSample } from "@/lib/testing/sample";
import { createPushSubscription } from "./create-push-subscription";
import { deletePushSubscription } from "./delete-push-subscription";

export const sample = customSample(deletePushSubscription, {
  input: () => ({ id: randomUUID() }),
  arrange: async ({ admin }, owner = admin) => {
    const { id } = (await send(createPushSubscription, owner, aPushEndpoint())).body;
    return (sender = owner) => send(deletePushSubscription, sender, { id });
  },
});
