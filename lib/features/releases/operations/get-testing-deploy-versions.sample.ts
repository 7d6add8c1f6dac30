import { targetedSample } from "@/lib/testing/sample";
import { getTestingDeployVersions } from "./get-testing-deploy-versions";

export const sample = targetedSample(getTestingDeployVersions, ({ environmentId }) => ({ environmentId }));
