import { route } from "@/lib/api/route";
import { getGoogleConfig } from "@/lib/features/auth-providers/operations/get-google-config";

export const GET = route(getGoogleConfig);
