import { simpleSample } from "@/lib/testing/sample";
import { getStorage } from "./get-storage";

export const sample = simpleSample(getStorage, () => ({}));
