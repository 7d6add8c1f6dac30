import { route } from "@/lib/api/route";
import { deleteTwoFactor } from "@/lib/features/two-factor/operations/delete-two-factor";

export const POST = route(deleteTwoFactor);
