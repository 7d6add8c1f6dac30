import { route } from "@/lib/api/route";
import { createRole } from "@/lib/features/roles/operations/create-role";

export const POST = route(createRole);
