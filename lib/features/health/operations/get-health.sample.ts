import { simpleSample } from "@/lib/testing/sample";
import { getHealth } from "./get-health";

export const sample = simpleSample(getHealth, () => ({}));
