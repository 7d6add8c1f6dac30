import { aProviderConfig } from "@/lib/testing/auth-providers";
import { simpleSample } from "@/lib/testing/sample";
import { getAzureConfig } from "./get-azure-config";

export const sample = simpleSample(getAzureConfig, async () => {
  await aProviderConfig("azure");
  return {};
});
