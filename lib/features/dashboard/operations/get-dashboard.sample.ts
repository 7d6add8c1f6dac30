import { simpleSample } from "@/lib/testing/sample";
import { getDashboard } from "./get-dashboard";

export const sample = simpleSample(getDashboard, () => ({}));
