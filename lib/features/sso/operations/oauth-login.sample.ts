import { aProviderConfig } from "@/lib/testing/auth-providers";
import { ANONYMOUS } from "@/lib/testing/console";
import { simpleSample } from "@/lib/testing/sample";
import { oauthLogin } from "./oauth-login";

export const sample = simpleSample(
  oauthLogin,
  async () => {
    await aProviderConfig("github", {}, { enabled: true });
    return { provider: "github" as const };
  },
  () => ANONYMOUS,
);
