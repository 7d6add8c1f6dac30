import { route } from "@/lib/api/route";
import { updateRolePermission } from "@/lib/features/permissions/operations/update-role-permission";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(updateRolePermission);
