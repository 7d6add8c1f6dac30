import { aProviderConfig } from "@/lib/testing/auth-providers";
import { simpleSample } from "@/lib/testing/sample";
import { getGoogleConfig } from "./get-google-config";

export const sample = simpleSample(getGoogleConfig, async () => {
  await aProviderConfig("google");
  return {};
});
