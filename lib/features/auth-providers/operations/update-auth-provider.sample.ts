import { aProviderConfig } from "@/lib/testing/auth-providers";
import { simpleSample } from "@/lib/testing/sample";
import { updateAuthProvider } from "./update-auth-provider";

export const sample = simpleSample(updateAuthProvider, async () => {
  await aProviderConfig("google");
  return { provider: "google" as const, enabled: true };
});
