import { route } from "@/lib/api/route";
import { getAuthorizedEnvironments } from "@/lib/features/environments/operations/get-authorized-environments";

export const GET = route(getAuthorizedEnvironments);
