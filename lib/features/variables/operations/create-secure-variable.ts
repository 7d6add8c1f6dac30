import "server-only";
import { createVariableOperation, secureForm } from "@/lib/features/variables/internal/variable-operations";

export const createSecureVariable = createVariableOperation(secureForm);
