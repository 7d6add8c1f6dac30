import { simpleSample } from "@/lib/testing/sample";
import { refresh } from "./refresh";

export const sample = simpleSample(refresh, () => ({}));
