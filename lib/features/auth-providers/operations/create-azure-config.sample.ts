import { noProviderConfig } from "@/lib/testing/auth-providers";
import { simpleSample } from "@/lib/testing/sample";
import { CANARIES } from "@/lib/testing/world";
import { createAzureConfig } from "./create-azure-config";

export const sample = simpleSample(createAzureConfig, async () => {
  await noProviderConfig("azure");
  return { clientId: "1", clientSecret: CANARIES[2], authority: "https://login.microsoftonline.com/acme.com" };
});
