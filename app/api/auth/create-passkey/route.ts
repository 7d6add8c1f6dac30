import { route } from "@/lib/api/route";
import { createPasskey } from "@/lib/features/passkeys/operations/create-passkey";

export const POST = route(createPasskey);
