import { targetedSample } from "@/lib/testing/sample";
import { updateEnvironmentApp } from "./update-environment-app";

export const sample = targetedSample(updateEnvironmentApp, ({ environmentId }) => ({
  id: environmentId,
  identifiers: ["com.example.staging"],
}));
