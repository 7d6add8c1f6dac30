import { route } from "@/lib/api/route";
import { updateUser } from "@/lib/features/users/operations/update-user";

export const POST = route(updateUser);
