import { aProviderConfig } from "@/lib/testing/auth-providers";
import { simpleSample } from "@/lib/testing/sample";
import { testAuthProvider } from "./test-auth-provider";

export const sample = simpleSample(testAuthProvider, async () => {
  await aProviderConfig("github", { baseUrl: "https://127.0.0.1" });
  return { provider: "github" as const };
});
