import { aRole } from "@/lib/testing/console";
import { simpleSample } from "@/lib/testing/sample";
import { getRolePermissionsByRoleId } from "./get-role-permissions-by-role-id";

export const sample = simpleSample(getRolePermissionsByRoleId, async () => ({
  roleId: await aRole(),
}));
