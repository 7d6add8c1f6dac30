import { releaseSample } from "@/lib/testing/releases";
import { downloadTestingDeployFile } from "./download-testing-deploy-file";

export const sample = releaseSample(downloadTestingDeployFile);
