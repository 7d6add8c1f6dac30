import { route } from "@/lib/api/route";
import { deleteRolePermission } from "@/lib/features/permissions/operations/delete-role-permission";

export const POST = route(deleteRolePermission);
