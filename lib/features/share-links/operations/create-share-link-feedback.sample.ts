import { ANONYMOUS, send } from "@/lib/testing/console";
import { feedbackForm } from "@/lib/testing/feedback";
import { aRelease } from "@/lib/testing/releases";
import { customSample } from "@/lib/testing/sample";
import { aShareLink } from "@/lib/testing/share-links";
import { createShareLinkFeedback } from "./create-share-link-feedback";

export const sample = customSample(createShareLinkFeedback, {
  input: () => ({}),
  arrange: async ({ admin, app, environmentId }) => {
    const { id: releaseId } = await aRelease(admin, { identifier: app.identifier, environmentId });
    const { code } = await aShareLink(admin, { releaseId });
    const form = await feedbackForm({ code });
    return (sender = ANONYMOUS) => send(createShareLinkFeedback, sender, form);
  },
});
