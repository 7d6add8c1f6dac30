import { route } from "@/lib/api/route";
import { getAppActivity } from "@/lib/features/dashboard/operations/get-app-activity";

export const GET = route(getAppActivity);
