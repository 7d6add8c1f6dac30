import { route } from "@/lib/api/route";
import { deleteUserSessions } from "@/lib/features/users/operations/delete-user-sessions";

export const POST = route(deleteUserSessions);
