import { targetedSample } from "@/lib/testing/sample";
import { getTestingDeploys } from "./get-testing-deploys";

export const sample = targetedSample(getTestingDeploys, ({ environmentId }) => ({ environmentId }));
