import { simpleSample } from "@/lib/testing/sample";
import { aWebhook } from "@/lib/testing/webhooks";
import { getWebhookDeliveries } from "./get-webhook-deliveries";

export const sample = simpleSample(getWebhookDeliveries, async () => ({ webhookId: await aWebhook(["user.invited"]) }));
