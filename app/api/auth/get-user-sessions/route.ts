import { route } from "@/lib/api/route";
import { getUserSessions } from "@/lib/features/users/operations/get-user-sessions";

export const GET = route(getUserSessions);
