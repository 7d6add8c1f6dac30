import { route } from "@/lib/api/route";
import { emailLogin } from "@/lib/features/auth/operations/email-login";

export const POST = route(emailLogin);
