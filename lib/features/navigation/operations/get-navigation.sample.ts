import { simpleSample } from "@/lib/testing/sample";
import { getNavigation } from "./get-navigation";

export const sample = simpleSample(getNavigation, () => ({}));
