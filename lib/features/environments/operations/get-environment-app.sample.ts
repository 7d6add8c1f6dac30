import { targetedSample } from "@/lib/testing/sample";
import { getEnvironmentApp } from "./get-environment-app";

export const sample = targetedSample(getEnvironmentApp, ({ environmentId }) => ({ id: environmentId }));
