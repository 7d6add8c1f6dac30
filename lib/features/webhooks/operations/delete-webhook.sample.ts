import { simpleSample } from "@/lib/testing/sample";
import { aWebhook } from "@/lib/testing/webhooks";
import { deleteWebhook } from "./delete-webhook";

export const sample = simpleSample(deleteWebhook, async () => ({ id: await aWebhook(["user.invited"]) }));
