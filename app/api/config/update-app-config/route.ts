import { route } from "@/lib/api/route";
import { updateAppConfig } from "@/lib/features/config/operations/update-app-config";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(updateAppConfig);
