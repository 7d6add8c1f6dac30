import { ANONYMOUS, send } from "@/lib/testing/console";
import { aRelease } from "@/lib/testing/releases";
import { customSample } from "@/lib/testing/sample";
import { aShareLink } from "@/lib/testing/share-links";
import { beginShareLinkInstall } from "./begin-share-link-install";

export const sample = customSample(beginShareLinkInstall, {
  input: () => ({}),
  arrange: async ({ admin, app, environmentId }) => {
    const { id: releaseId } = await aRelease(admin, { identifier: app.identifier, environmentId });
    const { code } = await aShareLink(admin, { releaseId });
    return (sender = ANONYMOUS) => send(beginShareLinkInstall, sender, { code });
  },
});
