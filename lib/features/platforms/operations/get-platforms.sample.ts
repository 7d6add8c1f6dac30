import { simpleSample } from "@/lib/testing/sample";
import { getPlatforms } from "./get-platforms";

export const sample = simpleSample(getPlatforms, () => ({}));
