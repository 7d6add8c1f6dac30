import { route } from "@/lib/api/route";
import { updatePassword } from "@/lib/features/passwords/operations/update-password";

export const POST = route(updatePassword);
