import { route } from "@/lib/api/route";
import { getDevelopmentVariables } from "@/lib/features/variables/operations/get-development-variables";

export const GET = route(getDevelopmentVariables);
