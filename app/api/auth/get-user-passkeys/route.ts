import { route } from "@/lib/api/route";
import { getUserPasskeys } from "@/lib/features/passkeys/operations/get-user-passkeys";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(getUserPasskeys);
