import { route } from "@/lib/api/route";
import { getSecureVariable } from "@/lib/features/variables/operations/get-secure-variable";

export const GET = route(getSecureVariable);
