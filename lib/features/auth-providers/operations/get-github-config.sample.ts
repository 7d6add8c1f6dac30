import { aProviderConfig } from "@/lib/testing/auth-providers";
import { simpleSample } from "@/lib/testing/sample";
import { getGithubConfig } from "./get-github-config";

export const sample = simpleSample(getGithubConfig, async () => {
  await aProviderConfig("github");
  return {};
});
