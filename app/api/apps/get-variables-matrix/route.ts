import { route } from "@/lib/api/route";
import { getVariablesMatrix } from "@/lib/features/configuration/operations/get-variables-matrix";

export const GET = route(getVariablesMatrix);
