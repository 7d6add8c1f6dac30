import { noProviderConfig } from "@/lib/testing/auth-providers";
import { simpleSample } from "@/lib/testing/sample";
import { CANARIES } from "@/lib/testing/world";
import { createGithubConfig } from "./create-github-config";

export const sample = simpleSample(createGithubConfig, async () => {
  await noProviderConfig("github");
  return { clientId: "1", clientSecret: CANARIES[2] };
});
