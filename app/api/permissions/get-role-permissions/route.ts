import { route } from "@/lib/api/route";
import { getRolePermissions } from "@/lib/features/permissions/operations/get-role-permissions";

export const GET = route(getRolePermissions);
