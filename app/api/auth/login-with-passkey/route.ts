import { route } from "@/lib/api/route";
import { loginWithPasskey } from "@/lib/features/passkeys/operations/login-with-passkey";

export const POST = route(loginWithPasskey);
