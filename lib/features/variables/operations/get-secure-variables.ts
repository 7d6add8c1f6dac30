import "server-only";
import { listOutput } from "@/lib/api/list";
import { listVariablesOperation, secureForm } from "@/lib/features/variables/internal/variable-operations";
import { secureVariableSchema } from "@/lib/features/variables/schema";

export const getSecureVariables = { ...listVariablesOperation(secureForm), output: listOutput(secureVariableSchema) };
