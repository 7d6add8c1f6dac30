import { randomUUID } from "node:crypto";
import { getUserProfile } from "@/lib/features/auth/operations/get-user-profile";
import { aSession, send } from "@/lib/testing/console";
import { customSample } from "@/lib/testing/sample";
import { deleteUserSessions } from "./delete-user-sessions";

export const sample = customSample(deleteUserSessions, {
  input: () => ({ id: randomUUID() }),
  arrange: async ({ admin }, owner = admin) => {
    const { body } = await send(getUserProfile, owner);
    const { sessionId } = await aSession(body.user.id);
    return (sender = owner) => send(deleteUserSessions, sender, { id: sessionId });
  },
});
