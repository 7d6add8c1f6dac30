import { route } from "@/lib/api/route";
import { getAvailableScopes } from "@/lib/features/permissions/operations/get-available-scopes";

export const GET = route(getAvailableScopes);
