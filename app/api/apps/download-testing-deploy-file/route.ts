import { route } from "@/lib/api/route";
import { downloadTestingDeployFile } from "@/lib/features/releases/operations/download-testing-deploy-file";

export const GET = route(downloadTestingDeployFile);
