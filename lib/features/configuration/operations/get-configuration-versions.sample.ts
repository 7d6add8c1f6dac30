import { targetedSample } from "@/lib/testing/sample";
import { getConfigurationVersions } from "./get-configuration-versions";

export const sample = targetedSample(getConfigurationVersions, ({ environmentId }) => ({ environmentId }));
