import { route } from "@/lib/api/route";
import { getRoles } from "@/lib/features/roles/operations/get-roles";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(getRoles);
