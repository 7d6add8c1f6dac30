import { aProviderConfig } from "@/lib/testing/auth-providers";
import { simpleSample } from "@/lib/testing/sample";
import { updateAzureConfig } from "./update-azure-config";

export const sample = simpleSample(updateAzureConfig, async () => {
  await aProviderConfig("azure");
  return { clientId: "another" };
});
