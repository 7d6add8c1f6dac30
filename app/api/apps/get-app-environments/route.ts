import { route } from "@/lib/api/route";
import { getAppEnvironments } from "@/lib/features/environments/operations/get-app-environments";

export const GET = route(getAppEnvironments);
