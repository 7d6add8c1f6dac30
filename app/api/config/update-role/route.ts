import { route } from "@/lib/api/route";
import { updateRole } from "@/lib/features/roles/operations/update-role";

export const POST = route(updateRole);
