import { route } from "@/lib/api/route";
import { getGoogleConfig } from "@/lib/features/auth-providers/operations/get-google-config";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(getGoogleConfig);
