import { randomUUID } from "node:crypto";
import { send } from "@/lib/testing/console";
import { customSample } from "@/lib/testing/sample";
import { aShareLink } from "@/lib/testing/share-links";
import { deleteShareLink } from "./delete-share-link";

export const sample = customSample(deleteShareLink, {
  input: () => ({ id: randomUUID() }),
  arrange: async ({ admin, environmentId }, owner = admin) => {
    const { id } = await aShareLink(admin, { environmentId });
    return (sender = owner) => send(deleteShareLink, sender, { id });
  },
});
