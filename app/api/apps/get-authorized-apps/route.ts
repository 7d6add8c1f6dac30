import { route } from "@/lib/api/route";
import { getAuthorizedApps } from "@/lib/features/apps/operations/get-authorized-apps";

export const GET = route(getAuthorizedApps);
