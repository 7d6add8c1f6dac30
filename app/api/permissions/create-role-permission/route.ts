import { route } from "@/lib/api/route";
import { createRolePermission } from "@/lib/features/permissions/operations/create-role-permission";

export const POST = route(createRolePermission);
