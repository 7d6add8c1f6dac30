import { route } from "@/lib/api/route";
import { getUserSessions } from "@/lib/features/users/operations/get-user-sessions";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(getUserSessions);
