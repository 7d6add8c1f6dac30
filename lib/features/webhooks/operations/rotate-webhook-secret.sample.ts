import { simpleSample } from "@/lib/testing/sample";
import { aWebhook } from "@/lib/testing/webhooks";
import { rotateWebhookSecret } from "./rotate-webhook-secret";

export const sample = simpleSample(rotateWebhookSecret, async () => ({ id: await aWebhook(["user.invited"]) }));
