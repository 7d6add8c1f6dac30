import { route } from "@/lib/api/route";
import { updateSecureVariable } from "@/lib/features/variables/operations/update-secure-variable";

export const POST = route(updateSecureVariable);
