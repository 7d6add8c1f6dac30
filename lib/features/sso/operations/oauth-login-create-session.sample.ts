import { issueTicket } from "@/lib/auth/sso/ticket";
import { db } from "@/lib/db/client";
import { aProviderConfig } from "@/lib/testing/auth-providers";
import { ANONYMOUS, aUser } from "@/lib/testing/console";
import { simpleSample } from "@/lib/testing/sample";
import { oauthLoginCreateSession } from "./oauth-login-create-session";

export const sample = simpleSample(
  oauthLoginCreateSession,
  async () => {
    await aProviderConfig("gitlab", {}, { enabled: true });
    const { userId } = await aUser();
    await db.user.update({ where: { id: userId }, data: { provider: "gitlab" } });
    const { state } = await db.$transaction((tx) => issueTicket(tx, userId, false, new Date()));
    return { state };
  },
  () => ANONYMOUS,
);
