import { route } from "@/lib/api/route";
import { getApiTokens } from "@/lib/features/api-tokens/operations/get-api-tokens";

export const GET = route(getApiTokens);
