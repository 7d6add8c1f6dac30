import { route } from "@/lib/api/route";
import { getRoles } from "@/lib/features/roles/operations/get-roles";

export const GET = route(getRoles);
