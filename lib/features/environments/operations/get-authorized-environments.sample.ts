import { simpleSample } from "@/lib/testing/sample";
import { getAuthorizedEnvironments } from "./get-authorized-environments";

export const sample = simpleSample(getAuthorizedEnvironments, () => ({}));
