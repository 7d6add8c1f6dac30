import { route } from "@/lib/api/route";
import { getPasswordLink } from "@/lib/features/passwords/operations/get-password-link";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(getPasswordLink);
