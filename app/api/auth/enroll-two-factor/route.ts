import { route } from "@/lib/api/route";
import { enrollTwoFactor } from "@/lib/features/two-factor/operations/enroll-two-factor";

export const POST = route(enrollTwoFactor);
