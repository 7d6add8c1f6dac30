import { route } from "@/lib/api/route";
import { getPublicKey } from "@/lib/features/config/operations/get-public-key";

export const GET = route(getPublicKey);
