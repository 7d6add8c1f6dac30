import { variableSample } from "@/lib/testing/variables";
import { deleteSecureVariable } from "./delete-secure-variable";

export const sample = variableSample("secure-variable", deleteSecureVariable);
