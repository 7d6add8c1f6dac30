import { randomUUID } from "node:crypto";
import { simpleSample } from "@/lib/testing/sample";
import { createRole } from "./create-role";

export const sample = simpleSample(createRole, () => ({ name: `Role ${randomUUID()}` }));
