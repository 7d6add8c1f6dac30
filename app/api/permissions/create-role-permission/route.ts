import { route } from "@/lib/api/route";
import { createRolePermission } from "@/lib/features/permissions/operations/create-role-permission";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(createRolePermission);
