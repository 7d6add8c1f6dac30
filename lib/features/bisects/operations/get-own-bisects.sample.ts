import { simpleSample } from "@/lib/testing/sample";
import { getOwnBisects } from "./get-own-bisects";

export const sample = simpleSample(getOwnBisects, () => ({}));
