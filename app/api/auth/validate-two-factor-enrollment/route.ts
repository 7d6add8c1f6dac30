import { route } from "@/lib/api/route";
import { validateTwoFactorEnrollment } from "@/lib/features/two-factor/operations/validate-two-factor-enrollment";

export const POST = route(validateTwoFactorEnrollment);
