import { simpleSample } from "@/lib/testing/sample";
import { getExpiring } from "./get-expiring";

export const sample = simpleSample(getExpiring, () => ({}));
