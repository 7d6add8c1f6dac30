import { route } from "@/lib/api/route";
import { deleteDevelopmentVariable } from "@/lib/features/variables/operations/delete-development-variable";

export const POST = route(deleteDevelopmentVariable);
