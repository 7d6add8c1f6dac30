import { route } from "@/lib/api/route";
import { getPasskeyOffer } from "@/lib/features/passkeys/operations/get-passkey-offer";

export const GET = route(getPasskeyOffer);
