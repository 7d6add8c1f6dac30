import { route } from "@/lib/api/route";
import { getLatestTestingDeploysByApp } from "@/lib/features/releases/operations/get-latest-testing-deploys-by-app";

export const GET = route(getLatestTestingDeploysByApp);
