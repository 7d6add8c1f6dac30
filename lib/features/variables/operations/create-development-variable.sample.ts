import { targetedSample } from "@/lib/testing/sample";
import { aKey } from "@/lib/testing/variables";
import { createDevelopmentVariable } from "./create-development-variable";

export const sample = targetedSample(createDevelopmentVariable, ({ environmentId }) => ({
  environmentId,
  name: "API",
  key: aKey(),
  value: "a",
}));
