import "server-only";
import { createVariableOperation, developmentForm } from "@/lib/features/variables/internal/variable-operations";

export const createDevelopmentVariable = createVariableOperation(developmentForm);
