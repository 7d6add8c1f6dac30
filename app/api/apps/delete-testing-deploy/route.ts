import { route } from "@/lib/api/route";
import { deleteTestingDeploy } from "@/lib/features/releases/operations/delete-testing-deploy";

export const POST = route(deleteTestingDeploy);
