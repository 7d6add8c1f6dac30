import { route } from "@/lib/api/route";
import { getTestingDeployVersions } from "@/lib/features/releases/operations/get-testing-deploy-versions";

export const GET = route(getTestingDeployVersions);
