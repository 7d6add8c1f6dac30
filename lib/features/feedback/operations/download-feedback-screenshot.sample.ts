import { randomUUID } from "node:crypto";
import { send } from "@/lib/testing/console";
import { someFeedback } from "@/lib/testing/feedback";
import { customSample } from "@/lib/testing/sample";
import { downloadFeedbackScreenshot } from "./download-feedback-screenshot";

export const sample = customSample(downloadFeedbackScreenshot, {
  input: () => ({ id: randomUUID() }),
  arrange: async (world, owner = world.admin) => {
    const { id } = await someFeedback(world, { withPicture: true });
    return (sender = owner) => send(downloadFeedbackScreenshot, sender, { id });
  },
});
