import { bisectSample } from "@/lib/testing/bisects";
import { getBisect } from "./get-bisect";

export const sample = bisectSample(getBisect);
