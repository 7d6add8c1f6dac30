import { route } from "@/lib/api/route";
import { getLatestTestingDeploys } from "@/lib/features/releases/operations/get-latest-testing-deploys";

export const GET = route(getLatestTestingDeploys);
