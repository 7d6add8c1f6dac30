import type { OperationPath } from "@/lib/client/operation-types";

/** A problem that the API returned, or one that a client creates if there was no response. */
export interface ApiProblem {
  /**
   * An error code of the API, `network` if the server could not be reached, `proxy` if something else refused the request in its
   * place, or `not_confirmed` if the user did not confirm their second factor.
   */
  code: string;
  status: number;
  title: string;
  detail: string;
  errors: { path: string; code: string; message: string }[];
  requestId: string | null;
  /** Seconds. */
  retryAfter: number | null;
}

/** A failed call. */
export class ApiCallError extends Error {
  /** The operation that was called. */
  operation: OperationPath | undefined;

  constructor(readonly problem: ApiProblem) {
    super(problem.detail);
    this.name = "ApiCallError";
  }
}

/** Returns a problem that is not a response of the API. Its texts are empty; `useProblemTexts` adds them. */
export function problemWithoutTexts(
  code: "network" | "proxy" | "not_confirmed" | "unexpected",
  status: number,
): ApiProblem {
  return { code, status, title: "", detail: "", errors: [], requestId: null, retryAfter: null };
}

/** The statuses by which a proxy says that it does not reach the server, which may be starting. */
export const GATEWAY_STATUSES: readonly number[] = [502, 503, 504];

/** The problem of an answer that is no problem document: a proxy gave it in the place of the console or its store. */
export function proxyProblem(status: number): ApiProblem {
  return problemWithoutTexts(GATEWAY_STATUSES.includes(status) ? "network" : "proxy", status);
}

/**
 * The problem of a response.
 * @param body the parsed JSON body
 */
export function receivedProblem(
  response: { status: number; headers: Pick<Headers, "get"> },
  body: Partial<ApiProblem>,
): ApiProblem {
  const retryAfter = Number(response.headers.get("retry-after"));
  return {
    code: body.code ?? "unexpected",
    status: response.status,
    title: body.title ?? "",
    detail: body.detail ?? "",
    errors: body.errors ?? [],
    requestId: body.requestId ?? null,
    retryAfter: retryAfter > 0 ? retryAfter : null,
  };
}
