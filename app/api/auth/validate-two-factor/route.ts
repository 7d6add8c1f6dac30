import { route } from "@/lib/api/route";
import { validateTwoFactor } from "@/lib/features/two-factor/operations/validate-two-factor";

export const POST = route(validateTwoFactor);
