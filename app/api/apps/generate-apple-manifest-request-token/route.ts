import { route } from "@/lib/api/route";
import { generateAppleManifestRequestToken } from "@/lib/features/releases/operations/generate-apple-manifest-request-token";

export const POST = route(generateAppleManifestRequestToken);
