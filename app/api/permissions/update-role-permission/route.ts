import { route } from "@/lib/api/route";
import { updateRolePermission } from "@/lib/features/permissions/operations/update-role-permission";

export const POST = route(updateRolePermission);
