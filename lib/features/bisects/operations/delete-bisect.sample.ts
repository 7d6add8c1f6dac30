import { bisectSample } from "@/lib/testing/bisects";
import { deleteBisect } from "./delete-bisect";

export const sample = bisectSample(deleteBisect);
