import { route } from "@/lib/api/route";
import { createEnvironmentApp } from "@/lib/features/environments/operations/create-environment-app";

export const POST = route(createEnvironmentApp);
