import { randomUUID } from "node:crypto";
import { aRole } from "@/lib/testing/console";
import { simpleSample } from "@/lib/testing/sample";
import { updateRole } from "./update-role";

export const sample = simpleSample(updateRole, async () => ({ id: await aRole(), name: `Role ${randomUUID()}` }));
