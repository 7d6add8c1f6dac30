import "server-only";
import { type Call, execute } from "@/lib/api/execute";
import type { InputOf, Operation, OutputOf } from "@/lib/api/operation";
import { actorFromHeaders } from "@/lib/auth/actor";
import type { RequestFacts } from "@/lib/http/request-facts";
import { ApiError } from "@/lib/kernel/errors";
import type { TokenActor } from "@/lib/permissions/actor";

/**
 * Identifies the caller by an API token, wherever the client sent it.
 * @throws ApiError not_authenticated, invalid_token
 */
export async function tokenActor(token: string | null | undefined, facts: RequestFacts): Promise<TokenActor> {
  if (!token) throw new ApiError("not_authenticated");
  const headers = new Headers({ authorization: `Bearer ${token}` });
  const actor = await actorFromHeaders(headers, facts.now);
  if (actor.kind !== "token") throw new ApiError("invalid_token");
  return actor;
}

/**
 * Runs an operation for an API token, with its checks, limits and audit record.
 * @param call the body of a raw upload, or that the call only checks
 * @throws ApiError
 */
export async function run<O extends Operation>(
  operation: O,
  caller: { actor: TokenActor; facts: RequestFacts },
  input: InputOf<O>,
  call: Pick<Call, "body" | "isDryRun"> = {},
): Promise<OutputOf<O>> {
  const outcome = await execute(operation, {
    actor: async () => caller.actor,
    input: async () => input,
    carriesFile: call.body !== undefined,
    request: caller.facts,
    ...call,
  });
  return outcome.output as OutputOf<O>;
}
