import "server-only";
import { developmentForm, listVariablesOperation } from "@/lib/features/variables/internal/variable-operations";

export const getDevelopmentVariables = listVariablesOperation(developmentForm);
