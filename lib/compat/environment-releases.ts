import "server-only";
import { MAX_LIMIT } from "@/lib/api/list";
import { getTestingDeploys } from "@/lib/features/releases/operations/get-testing-deploys";
import type { Release } from "@/lib/features/releases/schema";
import type { RequestFacts } from "@/lib/http/request-facts";
import type { TokenActor } from "@/lib/permissions/actor";
import { run } from "./operations";

/** The releases that a search looks at, newest first. */
const MAX_SEARCHED = 2_000;

/** Yields the releases of a token's environment, newest first, at most 2,000. */
export async function* releasesOf(
  caller: { actor: TokenActor; facts: RequestFacts },
  filter: { version?: string; from?: string; to?: string } = {},
): AsyncGenerator<Release, void> {
  const { environmentId } = caller.actor;
  let cursor: string | undefined;
  for (let read = 0; read < MAX_SEARCHED; read += MAX_LIMIT) {
    const page = await run(getTestingDeploys, caller, { environmentId, limit: MAX_LIMIT, cursor, ...filter });
    yield* page.items;
    if (page.nextCursor === null) return;
    cursor = page.nextCursor;
  }
}
