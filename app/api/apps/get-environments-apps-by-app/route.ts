import { route } from "@/lib/api/route";
import { getEnvironmentsAppsByApp } from "@/lib/features/environments/operations/get-environments-apps-by-app";

export const GET = route(getEnvironmentsAppsByApp);
