import { createRolePermission } from "@/lib/features/permissions/operations/create-role-permission";
import { aRole, type Caller, send } from "./console";

/** Creates a permission for a new role. @returns its ID */
export async function aPermission(caller: Caller): Promise<string> {
  const input = { roleId: await aRole(), scopes: ["release:read"], apps: [] };
  const { body } = await send(createRolePermission, caller, input);
  return body.id;
}
