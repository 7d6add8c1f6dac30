import { route } from "@/lib/api/route";
import { deleteUserPasskey } from "@/lib/features/passkeys/operations/delete-user-passkey";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(deleteUserPasskey);
