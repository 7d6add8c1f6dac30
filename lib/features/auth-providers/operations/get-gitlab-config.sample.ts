import { aProviderConfig } from "@/lib/testing/auth-providers";
import { simpleSample } from "@/lib/testing/sample";
import { getGitlabConfig } from "./get-gitlab-config";

export const sample = simpleSample(getGitlabConfig, async () => {
  await aProviderConfig("gitlab");
  return {};
});
