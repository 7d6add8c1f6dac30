import { simpleSample } from "@/lib/testing/sample";
import { getPublicKey } from "./get-public-key";

export const sample = simpleSample(getPublicKey, () => ({}));
