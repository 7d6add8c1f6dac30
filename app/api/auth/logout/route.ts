import { route } from "@/lib/api/route";
import { logout } from "@/lib/features/auth/operations/logout";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(logout);
