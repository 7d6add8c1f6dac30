import { aProviderConfig } from "@/lib/testing/auth-providers";
import { simpleSample } from "@/lib/testing/sample";
import { updateGitlabConfig } from "./update-gitlab-config";

export const sample = simpleSample(updateGitlabConfig, async () => {
  await aProviderConfig("gitlab");
  return { clientId: "another" };
});
