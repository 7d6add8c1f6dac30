import { route } from "@/lib/api/route";
import { getClientDevelopmentVariables } from "@/lib/features/client/operations/get-development-variables";

export const GET = route(getClientDevelopmentVariables);
