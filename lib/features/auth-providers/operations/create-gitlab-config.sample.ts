import { noProviderConfig } from "@/lib/testing/auth-providers";
import { simpleSample } from "@/lib/testing/sample";
import { CANARIES } from "@/lib/testing/world";
import { createGitlabConfig } from "./create-gitlab-config";

export const sample = simpleSample(createGitlabConfig, async () => {
  await noProviderConfig("gitlab");
  return { clientId: "1", clientSecret: CANARIES[2] };
});
