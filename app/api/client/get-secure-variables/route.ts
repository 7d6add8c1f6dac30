import { route } from "@/lib/api/route";
import { getClientSecureVariables } from "@/lib/features/client/operations/get-secure-variables";

export const GET = route(getClientSecureVariables);
