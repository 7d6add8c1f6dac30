import { ANONYMOUS, send } from "@/lib/testing/console";
import { aRelease } from "@/lib/testing/releases";
import { customSample } from "@/lib/testing/sample";
import { aShareLink } from "@/lib/testing/share-links";
import { getInstallVerdict } from "./get-install-verdict";

export const sample = customSample(getInstallVerdict, {
  input: () => ({}),
  arrange: async ({ admin, app, environmentId }) => {
    const { id } = await aRelease(admin, { identifier: app.identifier, environmentId });
    const { code: share } = await aShareLink(admin, { releaseId: id });
    return (sender = ANONYMOUS) => send(getInstallVerdict, sender, { id, share });
  },
});
