import { releaseSample } from "@/lib/testing/releases";
import { generateAppleManifestRequestToken } from "./generate-apple-manifest-request-token";

export const sample = releaseSample(generateAppleManifestRequestToken);
