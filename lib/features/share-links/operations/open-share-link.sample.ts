import { ANONYMOUS, send } from "@/lib/testing/console";
import { aRelease } from "@/lib/testing/releases";
import { customSample } from "@/lib/testing/sample";
import { aShareLink } from "@/lib/testing/share-links";
import { openShareLink } from "./open-share-link";

export const sample = customSample(openShareLink, {
  input: () => ({}),
  arrange: async ({ admin, app, environmentId }) => {
    const { id: releaseId } = await aRelease(admin, { identifier: app.identifier, environmentId });
    const { code } = await aShareLink(admin, { releaseId });
    return (sender = ANONYMOUS) => send(openShareLink, sender, { code });
  },
});
