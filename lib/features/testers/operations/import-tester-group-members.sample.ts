import { randomUUID } from "node:crypto";
import { send } from "@/lib/testing/console";
import { customSample } from "@/lib/testing/sample";
import { aTesterGroup } from "@/lib/testing/tester-groups";
import { importTesterGroupMembers } from "./import-tester-group-members";

export const sample = customSample(importTesterGroupMembers, {
  input: () => ({ groupId: randomUUID(), csv: "email\ntester@example.com\n" }),
  arrange: async ({ admin, app, environmentId }, owner = admin) => {
    const { id } = await aTesterGroup(admin, { appId: app.appId, environmentIds: [environmentId] });
    return (sender = owner) =>
      send(importTesterGroupMembers, sender, { groupId: id, csv: "email\ntester@example.com\n" });
  },
});
