import { aRole } from "@/lib/testing/console";
import { simpleSample } from "@/lib/testing/sample";
import { createRolePermission } from "./create-role-permission";

export const sample = simpleSample(createRolePermission, async ({ app, environmentId }) => ({
  roleId: await aRole(),
  scopes: ["release:download" as const],
  apps: [{ appId: app.appId, environmentIds: [environmentId] }],
}));
