import { aRole } from "@/lib/testing/console";
import { simpleSample } from "@/lib/testing/sample";
import { getRole } from "./get-role";

export const sample = simpleSample(getRole, async () => ({ id: await aRole() }));
