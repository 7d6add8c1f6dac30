import { route } from "@/lib/api/route";
import { getAuthProviders } from "@/lib/features/auth-providers/operations/get-auth-providers";

export const GET = route(getAuthProviders);
