import { route } from "@/lib/api/route";
import { validateLoginWithPasskey } from "@/lib/features/passkeys/operations/validate-login-with-passkey";

export const POST = route(validateLoginWithPasskey);
