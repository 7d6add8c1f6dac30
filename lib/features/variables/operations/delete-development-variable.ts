import "server-only";
import { deleteVariableOperation, developmentForm } from "@/lib/features/variables/internal/variable-operations";

export const deleteDevelopmentVariable = deleteVariableOperation(developmentForm);
