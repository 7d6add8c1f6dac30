import { releaseSample } from "@/lib/testing/releases";
import { recordTestingDeployOpening } from "./record-testing-deploy-opening";

export const sample = releaseSample(recordTestingDeployOpening, { device: "ios", osVersion: "18.1" });
