import { route } from "@/lib/api/route";
import { updateEnvironmentApp } from "@/lib/features/environments/operations/update-environment-app";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(updateEnvironmentApp);
