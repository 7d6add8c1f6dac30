import { route } from "@/lib/api/route";
import { createTestingDeploy } from "@/lib/features/releases/operations/create-testing-deploy";

export const POST = route(createTestingDeploy);
