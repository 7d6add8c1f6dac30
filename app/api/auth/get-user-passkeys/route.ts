import { route } from "@/lib/api/route";
import { getUserPasskeys } from "@/lib/features/passkeys/operations/get-user-passkeys";

export const GET = route(getUserPasskeys);
