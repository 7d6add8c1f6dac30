import { simpleSample } from "@/lib/testing/sample";
import { aWebhook } from "@/lib/testing/webhooks";
import { testWebhook } from "./test-webhook";

export const sample = simpleSample(testWebhook, async () => ({ id: await aWebhook(["user.invited"]) }));
