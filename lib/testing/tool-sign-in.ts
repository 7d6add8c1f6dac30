import { randomBytes } from "node:crypto";
import { challengeOf } from "@/lib/features/tool-sign-in/internal/code";
import { authorizeTool } from "@/lib/features/tool-sign-in/operations/authorize-tool";
import { type Caller, send } from "./console";

/** The request of a command-line tool that wants to sign in, with the secret that proves that it made the request. */
export function aToolRequest(redirectUri = "http://127.0.0.1:49152/callback") {
  const codeVerifier = randomBytes(32).toString("base64url");
  const state = randomBytes(16).toString("base64url");
  const input = { redirectUri, codeChallenge: challengeOf(codeVerifier), state, machine: "build-7.local" };
  return { codeVerifier, input };
}

/** Lets a tool sign in as a person. @returns the input with which the tool gets its session */
export async function anAuthorizedTool(
  person: Caller,
): Promise<{ code: string; codeVerifier: string; redirectUri: string }> {
  const { codeVerifier, input } = aToolRequest();
  const { status, body } = await send(authorizeTool, person, input);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return { code: new URL(body.url).searchParams.get("code") as string, codeVerifier, redirectUri: input.redirectUri };
}

/** Lets a tool on another machine sign in as a person. @returns the code that the person types there, and the tool's secret */
export async function aTypedCode(person: Caller): Promise<{ code: string; codeVerifier: string }> {
  const { codeVerifier, input } = aToolRequest();
  const { status, body } = await send(authorizeTool, person, { ...input, redirectUri: undefined });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return { code: body.code, codeVerifier };
}
