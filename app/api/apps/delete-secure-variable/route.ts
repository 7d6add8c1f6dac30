import { route } from "@/lib/api/route";
import { deleteSecureVariable } from "@/lib/features/variables/operations/delete-secure-variable";

export const POST = route(deleteSecureVariable);
