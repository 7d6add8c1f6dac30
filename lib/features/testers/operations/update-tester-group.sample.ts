import { randomUUID } from "node:crypto";
import { send } from "@/lib/testing/console";
import { customSample } from "@/lib/testing/sample";
import { aTesterGroup } from "@/lib/testing/tester-groups";
import { updateTesterGroup } from "./update-tester-group";

export const sample = customSample(updateTesterGroup, {
  input: () => ({ id: randomUUID(), name: "Agency" }),
  arrange: async ({ admin, app, environmentId }, owner = admin) => {
    const { id } = await aTesterGroup(admin, { appId: app.appId, environmentIds: [environmentId] });
    return (sender = owner) => send(updateTesterGroup, sender, { id, name: `Agency ${id}` });
  },
});
