import { releaseSample } from "@/lib/testing/releases";
import { updateTestingDeploy } from "./update-testing-deploy";

export const sample = releaseSample(updateTestingDeploy, { description: "What really changed" });
