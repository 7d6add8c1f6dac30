import { route } from "@/lib/api/route";
import { updateUser } from "@/lib/features/users/operations/update-user";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(updateUser);
