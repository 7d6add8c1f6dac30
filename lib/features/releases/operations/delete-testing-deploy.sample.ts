import { releaseSample } from "@/lib/testing/releases";
import { deleteTestingDeploy } from "./delete-testing-deploy";

export const sample = releaseSample(deleteTestingDeploy);
