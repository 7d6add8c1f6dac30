import { route } from "@/lib/api/route";
import { getUsers } from "@/lib/features/users/operations/get-users";

export const GET = route(getUsers);
