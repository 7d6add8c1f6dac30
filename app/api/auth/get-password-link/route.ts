import { route } from "@/lib/api/route";
import { getPasswordLink } from "@/lib/features/passwords/operations/get-password-link";

export const GET = route(getPasswordLink);
