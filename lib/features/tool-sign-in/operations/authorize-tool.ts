import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { issueCode } from "@/lib/features/tool-sign-in/internal/code";
import { answerUrl } from "../rules";
import { authorizedToolSchema, toolSignInInput } from "../schema";

/**
 * Lets a command-line tool sign in as the caller: issues a code that the tool exchanges for a session within a minute (RFC
 * 8252 with RFC 7636). The code works once, for the tool that knows the verifier, and while the caller's session lasts. For a tool on
 * another machine than the browser, the answer is the code, which the person types there within ten minutes.
 */
export const authorizeTool = defineCommand({
  area: "auth",
  name: "authorize-tool",
  summary: "Let a command-line tool sign in as the caller",
  access: "user",
  // The tool's session goes on where the browser's is ended.
  secondFactor: "recentIfEnrolled",
  input: toolSignInInput,
  output: authorizedToolSchema,
  status: 200,
  errors: [],
  rateLimit: { points: 20, seconds: 60, by: "actor" },
  audit: { table: "Session", action: "authorize-tool" },
  async handler({ input, actor, tx, request }) {
    const { redirectUri, state, machine } = input;
    const { sessionId } = actor;
    const code = await issueCode(tx, { ...input, sessionId }, request.now);
    return {
      output:
        redirectUri === undefined ? { url: null, code } : { url: answerUrl(redirectUri, { code, state }), code: null },
      audit: { recordId: sessionId, changes: { machine: [null, machine] } },
    };
  },
});
