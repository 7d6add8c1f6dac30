import { route } from "@/lib/api/route";
import { generateAppleManifestRequestToken } from "@/lib/features/releases/operations/generate-apple-manifest-request-token";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(generateAppleManifestRequestToken);
