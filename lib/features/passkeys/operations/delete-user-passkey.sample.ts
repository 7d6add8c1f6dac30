import { randomUUID } from "node:crypto";
import { send } from "@/lib/testing/console";
import { aPasskey } from "@/lib/testing/passkeys";
import { customSample } from "@/lib/testing/sample";
import { deleteUserPasskey } from "./delete-user-passkey";

export const sample = customSample(deleteUserPasskey, {
  input: () => ({ id: randomUUID() }),
  arrange: async ({ verifiedAdmin }, owner = verifiedAdmin) => {
    const { id } = await aPasskey(owner);
    return (sender = owner) => send(deleteUserPasskey, sender, { id });
  },
});
