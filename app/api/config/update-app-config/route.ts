import { route } from "@/lib/api/route";
import { updateAppConfig } from "@/lib/features/config/operations/update-app-config";

export const POST = route(updateAppConfig);
