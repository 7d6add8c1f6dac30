import "server-only";
import { deleteVariableOperation, secureForm } from "@/lib/features/variables/internal/variable-operations";

export const deleteSecureVariable = deleteVariableOperation(secureForm);
