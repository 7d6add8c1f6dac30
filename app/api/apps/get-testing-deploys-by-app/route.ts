import { route } from "@/lib/api/route";
import { getTestingDeploysByApp } from "@/lib/features/releases/operations/get-testing-deploys-by-app";

export const GET = route(getTestingDeploysByApp);
