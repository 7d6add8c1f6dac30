import type { OperationInput, OperationOutput, OperationPath } from "@/lib/client/operation-types";

/** A failure as the API tells it, or what stands for one where no answer came. */
export interface ApiProblem {
  /** A code of the catalogue, or `network` where the server could not be reached. */
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
  constructor(readonly problem: ApiProblem) {
    super(problem.detail);
    this.name = "ApiCallError";
  }
}

/** Fired on `window` when an answer says that there is no session, or no more; the session guard sees to the rest. */
export const SESSION_ENDED_EVENT = "slipway:session-ended";

/** Fired on `window` when an answer says that the session has to pass the second factor; the session guard leads there. */
export const SECOND_FACTOR_EVENT = "slipway:second-factor";

function guardEvent({ code }: ApiProblem): string | null {
  if (code === "session_expired" || code === "not_authenticated") return SESSION_ENDED_EVENT;
  return code === "two_factor_required" ? SECOND_FACTOR_EVENT : null;
}

/** Tells the session guard of a problem that is not the page's own to solve. */
export function tellSessionGuard(problem: ApiProblem): void {
  const event = guardEvent(problem);
  if (event) window.dispatchEvent(new Event(event));
}

/** Tells whether a problem leads to a step of the sign-in: the page need not show it. */
export function isSessionProblem(problem: ApiProblem): boolean {
  return guardEvent(problem) !== null;
}

/** What the browser's client cannot say without a language: `network` and nonsense answers carry empty texts. */
function problemWithout(code: "network" | "unexpected", status: number): ApiProblem {
  return { code, status, title: "", detail: "", errors: [], requestId: null, retryAfter: null };
}

async function toProblem(response: Response): Promise<ApiProblem> {
  try {
    const body = (await response.json()) as Partial<ApiProblem>;
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
  } catch {
    return problemWithout("unexpected", response.status);
  }
}

async function send(url: string, init: RequestInit): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(url, { credentials: "same-origin", ...init });
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new ApiCallError(problemWithout("network", 0));
  }
  if (!response.ok) {
    const problem = await toProblem(response);
    tellSessionGuard(problem);
    throw new ApiCallError(problem);
  }
  return response.status === 204 ? undefined : response.json();
}

/**
 * Calls a query from the browser.
 * @param path `area/operation`
 * @throws ApiCallError
 */
export async function query<P extends OperationPath>(
  path: P,
  input: OperationInput<P>,
  options: { signal?: AbortSignal } = {},
): Promise<OperationOutput<P>> {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(input as Record<string, unknown>)) {
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) search.append(name, String(one));
  }
  return (await send(`/api/${path}?${search}`, { signal: options.signal })) as OperationOutput<P>;
}

/**
 * Calls a command from the browser; a FormData goes as a form, anything else as JSON.
 * @param path `area/operation`
 * @throws ApiCallError
 */
export async function command<P extends OperationPath>(
  path: P,
  input: OperationInput<P> | FormData,
  options: { signal?: AbortSignal } = {},
): Promise<OperationOutput<P>> {
  const form = input instanceof FormData;
  return (await send(`/api/${path}`, {
    method: "POST",
    body: form ? input : JSON.stringify(input),
    ...(!form && { headers: { "Content-Type": "application/json" } }),
    signal: options.signal,
  })) as OperationOutput<P>;
}
