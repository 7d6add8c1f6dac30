import { route } from "@/lib/api/route";
import { getAppConfig } from "@/lib/features/config/operations/get-app-config";

export const GET = route(getAppConfig);
