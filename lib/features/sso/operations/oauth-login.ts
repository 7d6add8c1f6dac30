import "server-only";
import { z } from "zod";
import { defineCommand } from "@/lib/api/operation";
import { countAnonymousRecord } from "@/lib/auth/anonymous-records";
import { SignInFailure } from "@/lib/auth/sso/failure";
import { signInUrl } from "@/lib/auth/sso/sign-in";
import { ApiError } from "@/lib/kernel/errors";
import { aside } from "@/lib/kernel/turns";
import { oauthLoginInput } from "../schema";

/** Returns the address at which a browser begins to sign in by a provider. */
export const oauthLogin = defineCommand({
  area: "auth",
  name: "oauth-login",
  summary: "Begin to sign in with a provider: open the returned address in a browser",
  access: "public",
  signsIn: true,
  input: oauthLoginInput,
  output: z.object({ url: z.url() }),
  status: 200,
  errors: ["provider_not_configured", "provider_failed"],
  rateLimit: { points: 60, seconds: 60, by: "address" },
  audit: { table: "Session", action: "sign-in-begin" },
  async prepare({ input, db, request }) {
    await countAnonymousRecord(request);
    try {
      return await aside(() => signInUrl(db, input.provider, input.redirectTo));
    } catch (error) {
      if (!(error instanceof SignInFailure)) throw error;
      if (error.reason === "provider_failed") throw new ApiError("provider_failed", { cause: error.cause });
      throw new ApiError("provider_not_configured", { detailKey: "detailSso" });
    }
  },
  async handler({ input, prepared }) {
    return { output: { url: prepared }, audit: { recordId: null, changes: { provider: [null, input.provider] } } };
  },
});
