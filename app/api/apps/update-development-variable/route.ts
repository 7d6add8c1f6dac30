import { route } from "@/lib/api/route";
import { updateDevelopmentVariable } from "@/lib/features/variables/operations/update-development-variable";

export const POST = route(updateDevelopmentVariable);
