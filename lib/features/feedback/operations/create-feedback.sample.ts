import { randomUUID } from "node:crypto";
import { send } from "@/lib/testing/console";
import { feedbackForm } from "@/lib/testing/feedback";
import { aRelease } from "@/lib/testing/releases";
import { customSample } from "@/lib/testing/sample";
import { createFeedback } from "./create-feedback";

export const sample = customSample(createFeedback, {
  input: () => ({ releaseId: randomUUID(), text: "The cart is empty after a restart." }),
  arrange: async ({ admin, app, environmentId }, owner = admin) => {
    const { id: releaseId } = await aRelease(admin, { identifier: app.identifier, environmentId });
    const form = await feedbackForm({ releaseId });
    return (sender = owner) => send(createFeedback, sender, form);
  },
});
