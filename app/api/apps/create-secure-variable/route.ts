import { route } from "@/lib/api/route";
import { createSecureVariable } from "@/lib/features/variables/operations/create-secure-variable";

export const POST = route(createSecureVariable);
