import { aUser } from "@/lib/testing/console";
import { simpleSample } from "@/lib/testing/sample";
import { getSessionsOfUser } from "./get-sessions-of-user";

export const sample = simpleSample(getSessionsOfUser, async () => ({ userId: (await aUser()).userId }));
