import { route } from "@/lib/api/route";
import { getTestingDeployById } from "@/lib/features/releases/operations/get-testing-deploy-by-id";

export const GET = route(getTestingDeployById);
