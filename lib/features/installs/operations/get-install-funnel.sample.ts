import { targetedSample } from "@/lib/testing/sample";
import { getInstallFunnel } from "./get-install-funnel";

export const sample = targetedSample(getInstallFunnel, ({ environmentId }) => ({ environmentId }));
