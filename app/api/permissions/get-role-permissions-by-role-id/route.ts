import { route } from "@/lib/api/route";
import { getRolePermissionsByRoleId } from "@/lib/features/permissions/operations/get-role-permissions-by-role-id";

export const GET = route(getRolePermissionsByRoleId);
