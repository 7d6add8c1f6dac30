import { ApiCallError, type ApiProblem, proxyProblem, receivedProblem } from "@/lib/client/problem";

/** The answer to a part that was sent. */
interface PartAnswer {
  status: number;
  headers: Pick<Headers, "get">;
  body: string;
}

/**
 * Reads the answer to a part: the console's own, or that of the store, which is no JSON.
 * @returns the part's entity tag; null if the store does not let pages read it
 * @throws ApiCallError if the part was not accepted
 */
export function readPartAnswer(answer: PartAnswer, from: "console" | "store"): string | null {
  const body = from === "console" ? parseJson(answer.body) : {};
  if (answer.status < 200 || answer.status > 299) {
    // No part is too large for a store, but its proxy may have a limit of its own.
    const isOfProxy = from === "console" ? body.code === undefined : answer.status === 413;
    throw new ApiCallError(isOfProxy ? proxyProblem(answer.status) : receivedProblem(answer, body));
  }
  return (from === "console" ? body.etag : answer.headers.get("etag")) ?? null;
}

function parseJson(text: string): Partial<ApiProblem> & { etag?: string } {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
