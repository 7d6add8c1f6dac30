import { targetedSample } from "@/lib/testing/sample";
import { getDevelopmentVariables } from "./get-development-variables";

export const sample = targetedSample(getDevelopmentVariables, ({ environmentId }) => ({ environmentId }));
