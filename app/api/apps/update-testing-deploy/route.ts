import { route } from "@/lib/api/route";
import { updateTestingDeploy } from "@/lib/features/releases/operations/update-testing-deploy";

export const POST = route(updateTestingDeploy);
