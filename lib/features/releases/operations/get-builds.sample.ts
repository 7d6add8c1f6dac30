import { targetedSample } from "@/lib/testing/sample";
import { getBuilds } from "./get-builds";

export const sample = targetedSample(getBuilds, ({ environmentId }) => ({ environmentId }));
