import { route } from "@/lib/api/route";
import { updateEnvironmentApp } from "@/lib/features/environments/operations/update-environment-app";

export const POST = route(updateEnvironmentApp);
