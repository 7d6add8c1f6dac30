import { targetedSample } from "@/lib/testing/sample";
import { reorderEnvironments } from "./reorder-environments";

export const sample = targetedSample(reorderEnvironments, ({ app, environmentId }) => ({
  appId: app.appId,
  environmentIds: [environmentId],
}));
