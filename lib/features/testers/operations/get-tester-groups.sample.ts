import { targetedSample } from "@/lib/testing/sample";
import { getTesterGroups } from "./get-tester-groups";

export const sample = targetedSample(getTesterGroups, ({ app }) => ({ appId: app.appId }));
