import { randomUUID } from "node:crypto";
import { send } from "@/lib/testing/console";
import { customSample } from "@/lib/testing/sample";
import { aShareLink } from "@/lib/testing/share-links";
import { downloadShareLinkQrCode } from "./download-share-link-qr-code";

export const sample = customSample(downloadShareLinkQrCode, {
  input: () => ({ id: randomUUID() }),
  arrange: async ({ admin, environmentId }, owner = admin) => {
    const { id } = await aShareLink(admin, { environmentId });
    return (sender = owner) => send(downloadShareLinkQrCode, sender, { id });
  },
});
