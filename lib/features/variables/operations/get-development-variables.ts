import "server-only";
import { listOutput } from "@/lib/api/list";
import { developmentForm, listVariablesOperation } from "@/lib/features/variables/internal/variable-operations";
import { variableSchema } from "@/lib/features/variables/schema";

export const getDevelopmentVariables = {
  ...listVariablesOperation(developmentForm),
  output: listOutput(variableSchema),
};
