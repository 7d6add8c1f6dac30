import { route } from "@/lib/api/route";
import { updateGoogleConfig } from "@/lib/features/auth-providers/operations/update-google-config";

export const POST = route(updateGoogleConfig);
