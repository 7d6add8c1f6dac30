import { route } from "@/lib/api/route";
import { deleteUserPasskey } from "@/lib/features/passkeys/operations/delete-user-passkey";

export const POST = route(deleteUserPasskey);
