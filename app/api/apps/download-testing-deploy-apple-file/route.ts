import { route } from "@/lib/api/route";
import { downloadTestingDeployAppleFile } from "@/lib/features/releases/operations/download-testing-deploy-apple-file";

export const GET = route(downloadTestingDeployAppleFile);
