import { randomUUID } from "node:crypto";
import { targetedSample } from "@/lib/testing/sample";
import { createTesterGroup } from "./create-tester-group";

export const sample = targetedSample(createTesterGroup, ({ app, environmentId }) => ({
  appId: app.appId,
  name: `Beta ${randomUUID()}`,
  environmentIds: [environmentId],
  emails: ["tester@example.com"],
}));
