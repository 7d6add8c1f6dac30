import "server-only";
import { developmentForm, updateVariableOperation } from "@/lib/features/variables/internal/variable-operations";

export const updateDevelopmentVariable = updateVariableOperation(developmentForm);
