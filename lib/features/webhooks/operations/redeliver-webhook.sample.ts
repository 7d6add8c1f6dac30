import { simpleSample } from "@/lib/testing/sample";
import { aDelivery, aWebhook } from "@/lib/testing/webhooks";
import { redeliverWebhook } from "./redeliver-webhook";

export const sample = simpleSample(redeliverWebhook, async () => ({
  id: await aDelivery(await aWebhook(["user.invited"]), { state: "failed" }),
}));
