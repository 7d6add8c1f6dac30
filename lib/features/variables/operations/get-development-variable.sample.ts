import { variableSample } from "@/lib/testing/variables";
import { getDevelopmentVariable } from "./get-development-variable";

export const sample = variableSample("dev-variable", getDevelopmentVariable);
