import { randomUUID } from "node:crypto";
import { aRole } from "@/lib/testing/console";
import { simpleSample } from "@/lib/testing/sample";
import { registerUser } from "./register-user";

export const sample = simpleSample(registerUser, async () => ({
  firstNames: "Grace",
  lastNames: "Hopper",
  email: `${randomUUID()}@example.test`,
  roleId: await aRole(),
  provider: "github" as const,
  status: "active" as const,
}));
