import { randomUUID } from "node:crypto";
import { ANONYMOUS } from "@/lib/testing/console";
import { simpleSample } from "@/lib/testing/sample";
import { generatePasswordRecovery } from "./generate-password-recovery";

export const sample = simpleSample(
  generatePasswordRecovery,
  () => ({ email: `${randomUUID()}@example.test` }),
  () => ANONYMOUS,
);
