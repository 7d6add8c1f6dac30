import { route } from "@/lib/api/route";
import { confirmSecondFactor } from "@/lib/features/two-factor/operations/confirm-second-factor";

export const POST = route(confirmSecondFactor);
