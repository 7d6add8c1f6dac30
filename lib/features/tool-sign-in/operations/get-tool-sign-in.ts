import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { emailOf } from "../data";
import { answerUrl } from "../rules";
import { toolSignInInput, toolSignInSchema } from "../schema";

/** What a person should see before they let a command-line tool sign in as them. */
export const getToolSignIn = defineQuery({
  area: "auth",
  name: "get-tool-sign-in",
  summary: "Get what a command-line tool that wants to sign in as the caller asks for",
  access: "user",
  input: toolSignInInput,
  output: toolSignInSchema,
  errors: [],
  async handler({ input: { redirectUri, state }, actor, db, request }) {
    return {
      email: await emailOf(db, actor.userId),
      address: request.ip,
      receiver: redirectUri === undefined ? null : new URL(redirectUri).host,
      denyUrl: redirectUri === undefined ? null : answerUrl(redirectUri, { error: "access_denied", state }),
    };
  },
});
