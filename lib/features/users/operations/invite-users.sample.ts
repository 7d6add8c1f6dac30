import { randomUUID } from "node:crypto";
import { aRole } from "@/lib/testing/console";
import { simpleSample } from "@/lib/testing/sample";
import { inviteUsers } from "./invite-users";

export const sample = simpleSample(inviteUsers, async () => ({
  emails: [`${randomUUID()}@example.test`, `${randomUUID()}@example.test`],
  roleId: await aRole(),
}));
