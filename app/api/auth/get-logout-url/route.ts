import { route } from "@/lib/api/route";
import { getLogoutUrl } from "@/lib/features/sso/operations/get-logout-url";

export const GET = route(getLogoutUrl);
