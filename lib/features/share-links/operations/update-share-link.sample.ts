import { randomUUID } from "node:crypto";
import { send } from "@/lib/testing/console";
import { customSample } from "@/lib/testing/sample";
import { aShareLink } from "@/lib/testing/share-links";
import { updateShareLink } from "./update-share-link";

export const sample = customSample(updateShareLink, {
  input: () => ({ id: randomUUID(), name: "For the agency" }),
  arrange: async ({ admin, environmentId }, owner = admin) => {
    const { id } = await aShareLink(admin, { environmentId });
    return (sender = owner) => send(updateShareLink, sender, { id, maxInstalls: 20 });
  },
});
