import { simpleSample } from "@/lib/testing/sample";
import { getInstallableReleases } from "./get-installable-releases";

export const sample = simpleSample(getInstallableReleases, ({ app }) => ({ appId: app.appId }));
