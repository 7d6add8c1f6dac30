import { route } from "@/lib/api/route";
import { emailLogin } from "@/lib/features/auth/operations/email-login";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(emailLogin);
