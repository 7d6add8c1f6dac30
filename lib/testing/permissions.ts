import { createRolePermission } from "@/lib/features/permissions/operations/create-role-permission";
import { aRole, type Caller, send } from "./console";

/** A permission of a role of its own. @returns its id */
export async function aPermission(caller: Caller): Promise<string> {
  const input = { roleId: await aRole(), scopes: ["release:read"], apps: [] };
  const { body } = await send(createRolePermission, caller, input);
  return body.id;
}
