import { route } from "@/lib/api/route";
import { createDevelopmentVariable } from "@/lib/features/variables/operations/create-development-variable";

export const POST = route(createDevelopmentVariable);
