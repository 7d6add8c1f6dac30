import { aProviderConfig } from "@/lib/testing/auth-providers";
import { simpleSample } from "@/lib/testing/sample";
import { updateGithubConfig } from "./update-github-config";

export const sample = simpleSample(updateGithubConfig, async () => {
  await aProviderConfig("github");
  return { clientId: "another" };
});
