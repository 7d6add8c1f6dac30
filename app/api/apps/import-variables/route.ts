import { route } from "@/lib/api/route";
import { importVariables } from "@/lib/features/variables/operations/import-variables";

export const POST = route(importVariables);
