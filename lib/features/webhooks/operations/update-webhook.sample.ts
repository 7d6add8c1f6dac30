import { simpleSample } from "@/lib/testing/sample";
import { aWebhook } from "@/lib/testing/webhooks";
import { updateWebhook } from "./update-webhook";

export const sample = simpleSample(updateWebhook, async () => ({
  id: await aWebhook(["user.invited"]),
  name: "Renamed",
  events: ["user.invited", "release.published"],
}));
