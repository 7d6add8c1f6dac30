import { ANONYMOUS, send } from "@/lib/testing/console";
import { aRelease } from "@/lib/testing/releases";
import { customSample } from "@/lib/testing/sample";
import { aShareLink } from "@/lib/testing/share-links";
import { unlockShareLink } from "./unlock-share-link";

export const sample = customSample(unlockShareLink, {
  input: () => ({}),
  arrange: async ({ admin, app, environmentId }) => {
    const { id: releaseId } = await aRelease(admin, { identifier: app.identifier, environmentId });
    const { code } = await aShareLink(admin, { releaseId });
    return (sender = ANONYMOUS) => send(unlockShareLink, sender, { code, password: "of no use" });
  },
});
