import { route } from "@/lib/api/route";
import { updateTestingDeploy } from "@/lib/features/releases/operations/update-testing-deploy";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(updateTestingDeploy);
