import { route } from "@/lib/api/route";
import { getLatestRelease } from "@/lib/features/client/operations/get-latest-release";

export const GET = route(getLatestRelease);
