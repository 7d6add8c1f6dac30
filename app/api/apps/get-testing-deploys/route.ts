import { route } from "@/lib/api/route";
import { getTestingDeploys } from "@/lib/features/releases/operations/get-testing-deploys";

export const GET = route(getTestingDeploys);
