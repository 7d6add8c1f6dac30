import { targetedSample } from "@/lib/testing/sample";
import { getLatestTestingDeploys } from "./get-latest-testing-deploys";

export const sample = targetedSample(getLatestTestingDeploys, ({ app, environmentId }) => ({
  appId: app.appId,
  environmentIds: [environmentId],
}));
