import { aProviderConfig } from "@/lib/testing/auth-providers";
import { simpleSample } from "@/lib/testing/sample";
import { updateAppleConfig } from "./update-apple-config";

export const sample = simpleSample(updateAppleConfig, async () => {
  await aProviderConfig("apple");
  return { clientId: "another" };
});
