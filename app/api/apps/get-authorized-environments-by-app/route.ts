import { route } from "@/lib/api/route";
import { getAuthorizedEnvironmentsByApp } from "@/lib/features/environments/operations/get-authorized-environments-by-app";

export const GET = route(getAuthorizedEnvironmentsByApp);
