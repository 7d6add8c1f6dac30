import { aProviderConfig } from "@/lib/testing/auth-providers";
import { simpleSample } from "@/lib/testing/sample";
import { updateGoogleConfig } from "./update-google-config";

export const sample = simpleSample(updateGoogleConfig, async () => {
  await aProviderConfig("google");
  return { clientId: "another" };
});
