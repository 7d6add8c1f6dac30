import { simpleSample } from "@/lib/testing/sample";
import { getLicense } from "./get-license";

export const sample = simpleSample(getLicense, () => ({}));
