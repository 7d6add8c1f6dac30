import { route } from "@/lib/api/route";
import { exportVariables } from "@/lib/features/variables/operations/export-variables";

export const GET = route(exportVariables);
