import { releaseSample } from "@/lib/testing/releases";
import { getTestingDeployOpenings } from "./get-testing-deploy-openings";

export const sample = releaseSample(getTestingDeployOpenings);
