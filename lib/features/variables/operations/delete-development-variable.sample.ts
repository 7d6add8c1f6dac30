import { variableSample } from "@/lib/testing/variables";
import { deleteDevelopmentVariable } from "./delete-development-variable";

export const sample = variableSample("dev-variable", deleteDevelopmentVariable);
