import { route } from "@/lib/api/route";
import { resetUserTwoFactor } from "@/lib/features/two-factor/operations/reset-user-two-factor";

export const POST = route(resetUserTwoFactor);
