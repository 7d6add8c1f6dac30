import { route } from "@/lib/api/route";
import { getEnvironmentApp } from "@/lib/features/environments/operations/get-environment-app";

export const GET = route(getEnvironmentApp);
