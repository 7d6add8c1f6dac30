import { simpleSample } from "@/lib/testing/sample";
import { getApiTokens } from "./get-api-tokens";

export const sample = simpleSample(getApiTokens, () => ({}));
