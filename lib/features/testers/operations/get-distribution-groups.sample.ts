import { targetedSample } from "@/lib/testing/sample";
import { getDistributionGroups } from "./get-distribution-groups";

export const sample = targetedSample(getDistributionGroups, ({ environmentId }) => ({ environmentId }));
