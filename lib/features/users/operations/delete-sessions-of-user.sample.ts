import { aSession, aUser } from "@/lib/testing/console";
import { simpleSample } from "@/lib/testing/sample";
import { deleteSessionsOfUser } from "./delete-sessions-of-user";

export const sample = simpleSample(deleteSessionsOfUser, async () => {
  const { userId } = await aUser();
  const { sessionId } = await aSession(userId);
  return { userId, id: sessionId };
});
