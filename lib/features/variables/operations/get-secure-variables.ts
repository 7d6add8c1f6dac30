import "server-only";
import { listVariablesOperation, secureForm } from "@/lib/features/variables/internal/variable-operations";

export const getSecureVariables = listVariablesOperation(secureForm);
