import { route } from "@/lib/api/route";
import { getSecondFactorOptions } from "@/lib/features/two-factor/operations/get-second-factor-options";

export const GET = route(getSecondFactorOptions);
