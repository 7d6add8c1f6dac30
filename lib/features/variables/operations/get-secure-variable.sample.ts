import { variableSample } from "@/lib/testing/variables";
import { getSecureVariable } from "./get-secure-variable";

export const sample = variableSample("secure-variable", getSecureVariable);
