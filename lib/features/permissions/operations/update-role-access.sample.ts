import { aRole } from "@/lib/testing/console";
import { simpleSample } from "@/lib/testing/sample";
import { updateRoleAccess } from "./update-role-access";

export const sample = simpleSample(updateRoleAccess, async ({ app }) => ({
  roleId: await aRole(),
  places: [{ appId: app.appId, scopes: ["release:download" as const] }],
}));
