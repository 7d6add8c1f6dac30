import { route } from "@/lib/api/route";
import { getDevelopmentVariable } from "@/lib/features/variables/operations/get-development-variable";

export const GET = route(getDevelopmentVariable);
