import { variableSample } from "@/lib/testing/variables";
import { updateSecureVariable } from "./update-secure-variable";

export const sample = variableSample("secure-variable", updateSecureVariable, { value: "another" });
