import type { OperationInput, OperationOutput, OperationPath } from "@/lib/client/operation-types";
import { ApiCallError, type ApiProblem, problemWithoutTexts, proxyProblem, receivedProblem } from "./problem";
import { searchOf } from "./query-input";
import { askForSecondFactor } from "./second-factor";

export { ApiCallError, type ApiProblem, problemWithoutTexts } from "./problem";

/** Fired on `window` when a response reports a missing or expired session. The session guard handles it. */
export const SESSION_ENDED_EVENT = "slipway:session-ended";

/** Fired on `window` when a response requires the second factor. The session guard handles it. */
export const SECOND_FACTOR_EVENT = "slipway:second-factor";

function guardEvent(code: string): string | null {
  if (code === "session_expired" || code === "not_authenticated") return SESSION_ENDED_EVENT;
  return code === "two_factor_required" ? SECOND_FACTOR_EVENT : null;
}

/** Notifies the session guard of a problem that a step of the sign-in solves. */
export function notifySessionGuard(problem: ApiProblem): void {
  const event = guardEvent(problem.code);
  if (event) window.dispatchEvent(new Event(event));
}

/** Returns whether the session guard handles a problem, so that the page does not show it. */
export function isSessionProblem(problem: ApiProblem): boolean {
  return isSessionCode(problem.code);
}

/** Like `isSessionProblem`, by the problem's code. */
export function isSessionCode(code: string): boolean {
  return guardEvent(code) !== null;
}

async function toProblem(response: Response): Promise<ApiProblem> {
  try {
    return receivedProblem(response, (await response.json()) as Partial<ApiProblem>);
  } catch {
    return response.status < 500 ? proxyProblem(response.status) : problemWithoutTexts("unexpected", response.status);
  }
}

/** @throws ApiCallError */
async function request(url: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { credentials: "same-origin", ...init });
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new ApiCallError(problemWithoutTexts("network", 0));
  }
  if (!response.ok) throw new ApiCallError(await toProblem(response));
  return response;
}

/**
 * Reads the body of an answer.
 * @throws ApiCallError, also if the connection is lost after the headers
 */
async function received<Body>(
  path: OperationPath,
  response: Response,
  read: (response: Response) => Promise<Body>,
  signal?: AbortSignal,
): Promise<Body> {
  try {
    return await read(response);
  } catch (cause) {
    if (signal?.aborted) throw cause;
    // What arrived is not JSON, for example a page of a proxy.
    const isOther = cause instanceof SyntaxError;
    const problem = isOther ? problemWithoutTexts("unexpected", response.status) : problemWithoutTexts("network", 0);
    const error = new ApiCallError(problem);
    error.operation = path;
    throw error;
  }
}

async function readJson(response: Response): Promise<unknown> {
  return response.status === 204 ? undefined : response.json();
}

const SECOND_FACTOR_CODES = new Set(["two_factor_required", "two_factor_enrollment_required"]);

/** The calls that confirm the second factor. They do not ask for it themselves, because that would never end. */
const CONFIRMATION_PATHS = new Set<OperationPath>(["auth/get-second-factor-options", "auth/confirm-second-factor"]);

/** Sends a request. If it needs the user's second factor, asks for it and sends the request once more. */
async function confirmAndRequest(path: OperationPath, url: string, init: RequestInit): Promise<Response> {
  try {
    return await request(url, init);
  } catch (error) {
    const needsConfirmation =
      error instanceof ApiCallError && SECOND_FACTOR_CODES.has(error.problem.code) && !CONFIRMATION_PATHS.has(path);
    const confirmed = needsConfirmation ? await askForSecondFactor() : null;
    if (!needsConfirmation || confirmed === null) throw error;
    if (!confirmed) throw new ApiCallError(problemWithoutTexts("not_confirmed", error.problem.status));
    return request(url, init);
  }
}

async function send(path: OperationPath, search: string, init: RequestInit): Promise<Response> {
  try {
    return await confirmAndRequest(path, `/api/${path}${search}`, init);
  } catch (error) {
    if (error instanceof ApiCallError) {
      error.operation = path;
      notifySessionGuard(error.problem);
    }
    throw error;
  }
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
  const response = await send(path, searchOf(input as object), { signal: options.signal });
  return (await received(path, response, readJson, options.signal)) as OperationOutput<P>;
}

/**
 * Calls a download from the browser, where the user may have to confirm their second factor first.
 * @param path `area/operation`
 * @throws ApiCallError
 */
export async function download<P extends OperationPath>(path: P, input: OperationInput<P>): Promise<Blob> {
  const response = await send(path, searchOf(input as object), {});
  return received(path, response, () => response.blob());
}

/** Parts of a file of at least this size are handed to the browser, which may keep them on disk. */
const BLOB_PART_BYTES = 8 * 1024 * 1024;

function fileNameOf(response: Response): string {
  return /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1] ?? "download";
}

/**
 * Calls a query or download from the browser whose answer is a file of any size.
 * @param path `area/operation`
 * @param options.onChunk is told each part that arrives
 * @returns the file when all of it has arrived, with the name that the server gives it
 * @throws ApiCallError, also if the connection is lost in the middle
 */
export async function downloadFile<P extends OperationPath>(
  path: P,
  input: OperationInput<P>,
  { signal, onChunk }: { signal?: AbortSignal; onChunk?: (chunk: Uint8Array) => void } = {},
): Promise<File> {
  const response = await send(path, searchOf(input as object), { signal });
  const parts: Blob[] = [];
  let pending: Uint8Array<ArrayBuffer>[] = [];
  let pendingBytes = 0;
  const readParts = async ({ body }: Response) => {
    const reader = body?.getReader();
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
      onChunk?.(next.value);
      pending.push(next.value);
      pendingBytes += next.value.byteLength;
      if (pendingBytes < BLOB_PART_BYTES) continue;
      parts.push(new Blob(pending));
      pending = [];
      pendingBytes = 0;
    }
  };
  await received(path, response, readParts, signal);
  const type = response.headers.get("content-type") ?? "";
  return new File([...parts, ...pending], fileNameOf(response), { type });
}

/**
 * Calls a command from the browser. A FormData is sent as a form, anything else as JSON.
 * @param path `area/operation`
 * @throws ApiCallError
 */
export async function command<P extends OperationPath>(
  path: P,
  input: OperationInput<P> | FormData,
  options: { signal?: AbortSignal } = {},
): Promise<OperationOutput<P>> {
  const form = input instanceof FormData;
  const response = await send(path, "", {
    method: "POST",
    body: form ? input : JSON.stringify(input),
    ...(!form && { headers: { "Content-Type": "application/json" } }),
    signal: options.signal,
  });
  return (await received(path, response, readJson, options.signal)) as OperationOutput<P>;
}
