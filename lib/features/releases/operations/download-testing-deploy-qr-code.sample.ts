import { releaseSample } from "@/lib/testing/releases";
import { downloadTestingDeployQrCode } from "./download-testing-deploy-qr-code";

export const sample = releaseSample(downloadTestingDeployQrCode);
