import { route } from "@/lib/api/route";
import { getApps } from "@/lib/features/apps/operations/get-apps";

export const GET = route(getApps);
