import { noProviderConfig } from "@/lib/testing/auth-providers";
import { simpleSample } from "@/lib/testing/sample";
import { CANARIES } from "@/lib/testing/world";
import { createGoogleConfig } from "./create-google-config";

export const sample = simpleSample(createGoogleConfig, async () => {
  await noProviderConfig("google");
  return { clientId: "1", clientSecret: CANARIES[2] };
});
