import { route } from "@/lib/api/route";
import { getLogoutUrl } from "@/lib/features/sso/operations/get-logout-url";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(getLogoutUrl);
