import { releaseSample } from "@/lib/testing/releases";
import { getTestingDeployById } from "./get-testing-deploy-by-id";

export const sample = releaseSample(getTestingDeployById);
