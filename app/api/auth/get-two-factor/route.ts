import { route } from "@/lib/api/route";
import { getTwoFactor } from "@/lib/features/two-factor/operations/get-two-factor";

export const GET = route(getTwoFactor);
