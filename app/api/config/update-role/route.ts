import { route } from "@/lib/api/route";
import { updateRole } from "@/lib/features/roles/operations/update-role";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(updateRole);
