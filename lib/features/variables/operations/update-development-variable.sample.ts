import { variableSample } from "@/lib/testing/variables";
import { updateDevelopmentVariable } from "./update-development-variable";

export const sample = variableSample("dev-variable", updateDevelopmentVariable, { value: "another" });
