import { route } from "@/lib/api/route";
import { oauthLogin } from "@/lib/features/sso/operations/oauth-login";

export const POST = route(oauthLogin);
