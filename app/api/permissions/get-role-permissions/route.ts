import { route } from "@/lib/api/route";
import { getRolePermissions } from "@/lib/features/permissions/operations/get-role-permissions";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(getRolePermissions);
