import { aProviderConfig } from "@/lib/testing/auth-providers";
import { simpleSample } from "@/lib/testing/sample";
import { getAppleConfig } from "./get-apple-config";

export const sample = simpleSample(getAppleConfig, async () => {
  await aProviderConfig("apple");
  return {};
});
