import { route } from "@/lib/api/route";
import { logout } from "@/lib/features/auth/operations/logout";

export const POST = route(logout);
