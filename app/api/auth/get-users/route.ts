import { route } from "@/lib/api/route";
import { getUsers } from "@/lib/features/users/operations/get-users";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(getUsers);
