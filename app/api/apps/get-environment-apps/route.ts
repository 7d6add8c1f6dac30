import { route } from "@/lib/api/route";
import { getEnvironmentApps } from "@/lib/features/environments/operations/get-environment-apps";

export const GET = route(getEnvironmentApps);
