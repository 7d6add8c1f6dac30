import { route } from "@/lib/api/route";
import { createGoogleConfig } from "@/lib/features/auth-providers/operations/create-google-config";

export const POST = route(createGoogleConfig);
