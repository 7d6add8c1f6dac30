import { route } from "@/lib/api/route";
import { inviteUsers } from "@/lib/features/users/operations/invite-users";

export const POST = route(inviteUsers);
