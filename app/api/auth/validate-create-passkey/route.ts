import { route } from "@/lib/api/route";
import { validateCreatePasskey } from "@/lib/features/passkeys/operations/validate-create-passkey";

export const POST = route(validateCreatePasskey);
