import { route } from "@/lib/api/route";
import { oauthLoginCreateSession } from "@/lib/features/sso/operations/oauth-login-create-session";

export const POST = route(oauthLoginCreateSession);
