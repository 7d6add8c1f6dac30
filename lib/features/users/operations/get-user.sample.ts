import { aUser } from "@/lib/testing/console";
import { simpleSample } from "@/lib/testing/sample";
import { getUser } from "./get-user";

export const sample = simpleSample(getUser, async () => ({ id: (await aUser()).userId }));
