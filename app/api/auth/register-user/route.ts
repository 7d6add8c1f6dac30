import { route } from "@/lib/api/route";
import { registerUser } from "@/lib/features/users/operations/register-user";

export const POST = route(registerUser);
