import { route } from "@/lib/api/route";
import { createEnvironmentApp } from "@/lib/features/environments/operations/create-environment-app";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(createEnvironmentApp);
