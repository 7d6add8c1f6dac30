import { route } from "@/lib/api/route";
import { getSecureVariables } from "@/lib/features/variables/operations/get-secure-variables";

export const GET = route(getSecureVariables);
