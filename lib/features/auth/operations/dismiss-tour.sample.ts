import { simpleSample } from "@/lib/testing/sample";
import { dismissTour } from "./dismiss-tour";

export const sample = simpleSample(dismissTour, () => ({}));
