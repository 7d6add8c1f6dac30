import { route } from "@/lib/api/route";
import { registerUser } from "@/lib/features/users/operations/register-user";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(registerUser);
