import "server-only";
import { secureForm, updateVariableOperation } from "@/lib/features/variables/internal/variable-operations";

export const updateSecureVariable = updateVariableOperation(secureForm);
