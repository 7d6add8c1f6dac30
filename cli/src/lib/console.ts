import type { OperationInput, OperationOutput, OperationPath } from "@/lib/client/operation-types";
import {
  ApiCallError,
  type ApiProblem,
  GATEWAY_STATUSES,
  problemWithoutTexts,
  receivedProblem,
} from "@/lib/client/problem";
import { searchOf } from "@/lib/client/query-input";
import type { Context } from "./context";
import { chooseConsole, consoleUrl, noteRefresh, readCredentials } from "./credentials";
import { EXIT, Failure, refusedFailure, unreachableFailure, usageFailure } from "./failure";
import { send } from "./http";
import { PROJECT_FILE, readProject } from "./project-file";
import { proxyFor } from "./proxy";
import { isApiToken } from "./token";
import { USER_AGENT } from "./version";

const REQUEST_TIMEOUT_MS = 60_000;
/** For calls for which the console reads files, after those of other callers. */
export const READING_TIMEOUT_MS = 5 * 60_000;

const NO_HTTPS = "it does not answer in HTTPS; its address may begin with http://";
/** The network codes of Node with what they mean. */
const NETWORK_ERRORS: Record<string, string> = {
  ENOTFOUND: "its name is not known to the DNS",
  EAI_AGAIN: "the DNS did not answer",
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the connection was closed",
  EPIPE: "the connection was closed",
  EPROTO: NO_HTTPS,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_HTTPS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_HTTPS,
  ETIMEDOUT: "it did not answer in time",
  ENETUNREACH: "this machine has no way to it",
  EHOSTUNREACH: "the host cannot be reached",
  CERT_HAS_EXPIRED: "its certificate has expired, or the clock of this machine is wrong",
  CERT_NOT_YET_VALID: "its certificate is not valid yet, or the clock of this machine is wrong",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate comes from an authority that this machine does not know",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate comes from an authority that this machine does not know",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate comes from an authority that this machine does not know",
};
/** The codes of a machine that is not online. */
export const OFFLINE_CODES: readonly string[] = ["EAI_AGAIN", "ENETUNREACH"];
const OFFLINE_HINT = "Check the network of this machine.";
const SILENT_HINT = "Check the address and its port, the reverse proxy and the firewall.";
const VALIDITY_HINT = "Renew the certificate, or correct the clock of this machine.";
const NAME_HINT = "Use the address that the certificate is for, or get a certificate for this one.";
const AUTHORITY_HINT =
  "For an authority of your own, set NODE_EXTRA_CA_CERTS to its certificate in PEM format. A console that was started with `npm start -- --lan` serves it on the page /trust.";

/** What to do about a network error. */
function hintsFor(code: string): string[] {
  if (code === "ETIMEDOUT") return [SILENT_HINT];
  if (["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID"].includes(code)) return [VALIDITY_HINT];
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return [NAME_HINT];
  if (/CERT|SIGNED|LEAF/.test(code)) return [AUTHORITY_HINT];
  return OFFLINE_CODES.includes(code) ? [OFFLINE_HINT] : [];
}

/** The code of a network error, which may be that of a cause or of one of several attempts. */
export function networkCode(error: unknown): string {
  for (let at = error as { code?: unknown; cause?: unknown; errors?: unknown[] } | undefined; at; ) {
    if (typeof at.code === "string") return at.code;
    at = (at.cause ?? at.errors?.[0]) as typeof at;
  }
  return "";
}

/** What a network error means, in words; of an unknown one, what Node says. */
export function networkReason(error: Error): string {
  return NETWORK_ERRORS[networkCode(error)] ?? error.message;
}

/** The failure for a network error. */
export function networkFailure(url: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  const isTimeout = (error as Error | undefined)?.name === "TimeoutError";
  const code = isTimeout ? "ETIMEDOUT" : networkCode(error);
  const reason = NETWORK_ERRORS[code] ?? (code || "the request failed");
  const proxy = url.startsWith("http:") ? proxyFor(new URL(url)) : null;
  const through = proxy ? ` through the proxy ${proxy.host}` : "";
  return unreachableFailure(`${url} cannot be reached${through}: ${reason}.`, ...hintsFor(code));
}

/** The failure for an answer that is not the console's: a proxy, a captive portal, another web server. */
export function foreignFailure(url: string, status: number, type: string | null): Failure {
  if (status === 413) return proxyFailure(url, status);
  const kind = type?.includes("html") ? "a web page" : type ? `"${type.split(";")[0]}"` : "nothing";
  return unreachableFailure(
    `${url} does not answer as a Slipway console: it sent ${kind} with status ${status}.`,
    "A proxy or the sign-in page of a network may be in between. Check the address and your network.",
  );
}

/** The failure for a request that a proxy refused: of one whose body is too large, with what is to be raised. */
export function proxyFailure(url: string, status: number): Failure {
  return status === 413
    ? unreachableFailure(
        `A proxy in front of ${url} refuses request bodies of this size (status 413).`,
        "Raise its limit: client_max_body_size of nginx, LimitRequestBody of Apache, maxAllowedContentLength of IIS. “Reverse proxies” in docs/operations/README.md has the lines.",
      )
    : unreachableFailure(
        `A proxy in front of ${url} refused the request with status ${status}.`,
        "Check the rules of the proxy, and the network of this machine.",
      );
}

/** The failure for a call that failed. */
export function callFailure(url: string, { problem, cause }: ApiCallError): Failure {
  return problem.code === "network" ? networkFailure(url, cause) : refusedFailure(url, problem);
}

/**
 * Reads the body of an answer.
 * @throws ApiCallError if the connection is lost before its end
 */
async function jsonOf(response: Response, signal?: AbortSignal): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    if (signal?.aborted || cause instanceof SyntaxError) throw cause;
    throw Object.assign(new ApiCallError(problemWithoutTexts("network", 0)), { cause });
  }
}

interface RequestOptions {
  method?: "GET" | "POST";
  body?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  timeoutMs?: number;
}

/** Calls again what failed because the console is busy or restarts. */
export type Patience = <T>(call: (signal: AbortSignal) => Promise<T>) => Promise<T>;

/** The API of one console. */
export class Console {
  /** Whether the console itself has answered a request. */
  hasAnswered = false;
  /** How failed calls of `query` and `command` are repeated; by default, they are not. */
  patience: Patience | null = null;

  constructor(
    /** Without a path. */
    readonly url: string,
    readonly token: string | null,
  ) {}

  get isApiToken(): boolean {
    return this.token !== null && isApiToken(this.token);
  }

  /** The request headers that identify tool and caller. */
  get headers(): Record<string, string> {
    return {
      "User-Agent": USER_AGENT,
      "Accept-Language": "en",
      ...(this.token !== null && { Authorization: `Bearer ${this.token}` }),
    };
  }

  /**
   * Sends a request.
   * @returns the response if it is a success of the console
   * @throws ApiCallError for a problem document and for a lost connection; Failure for an answer of something else
   */
  async request(
    path: string,
    { timeoutMs = REQUEST_TIMEOUT_MS, signal, ...init }: RequestOptions = {},
  ): Promise<Response> {
    const timeout = AbortSignal.timeout(timeoutMs);
    let response: Response;
    try {
      // Redirections are not followed: a token is not passed on to another address.
      response = await send(new URL(path, this.url), {
        ...init,
        headers: { ...this.headers, ...init.headers },
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
    } catch (cause) {
      if (signal?.aborted || cause instanceof Failure) throw cause;
      throw Object.assign(new ApiCallError(problemWithoutTexts("network", 0)), { cause });
    }
    if (response.status >= 300 && response.status < 400)
      throw redirectFailure(this.url, response.headers.get("location"));
    if (response.ok) {
      this.hasAnswered = true;
      return response;
    }
    const type = response.headers.get("content-type");
    if (!type?.startsWith("application/problem+json")) {
      await response.body?.cancel();
      // A proxy in front of a console that restarts.
      if (GATEWAY_STATUSES.includes(response.status)) {
        const cause = unreachableFailure(
          `${this.url} cannot be reached: a proxy in front of it answered with status ${response.status}.`,
          "The console may be starting. Try again in a minute.",
        );
        throw Object.assign(new ApiCallError(problemWithoutTexts("network", response.status)), { cause });
      }
      throw foreignFailure(this.url, response.status, type);
    }
    this.hasAnswered = true;
    throw new ApiCallError(receivedProblem(response, (await jsonOf(response, signal)) as Partial<ApiProblem>));
  }

  /** Sends a request as `request`, and checks that the answer is JSON. */
  async requestJson(path: string, options: RequestOptions): Promise<Response> {
    const response = await this.request(path, options);
    const type = response.headers.get("content-type");
    if (response.status === 204 || type?.startsWith("application/json")) return response;
    await response.body?.cancel();
    throw foreignFailure(this.url, response.status, type);
  }

  async #json(path: string, options: RequestOptions): Promise<unknown> {
    const response = await this.requestJson(path, options);
    return response.status === 204 ? undefined : jsonOf(response, options.signal);
  }

  /**
   * Calls a query as `request`; `tryQuery` and `tryCommand` leave ApiCallErrors to the caller.
   * @param path `area/operation`
   */
  async tryQuery<P extends OperationPath>(
    path: P,
    input: OperationInput<P>,
    options: RequestOptions = {},
  ): Promise<OperationOutput<P>> {
    return (await this.#json(`/api/${path}${searchOf(input as object)}`, options)) as OperationOutput<P>;
  }

  async tryCommand<P extends OperationPath>(
    path: P,
    input: OperationInput<P>,
    options: RequestOptions = {},
  ): Promise<OperationOutput<P>> {
    const body = JSON.stringify(input);
    const headers = { "Content-Type": "application/json" };
    return (await this.#json(`/api/${path}`, { ...options, method: "POST", body, headers })) as OperationOutput<P>;
  }

  /** Calls a query. @throws Failure */
  query<P extends OperationPath>(
    path: P,
    input: OperationInput<P>,
    options: RequestOptions = {},
  ): Promise<OperationOutput<P>> {
    const { patience } = this;
    if (!patience) return this.orFailure(this.tryQuery(path, input, options));
    return this.orFailure(patience((signal) => this.tryQuery(path, input, { signal, ...options })));
  }

  /** Calls a command. @throws Failure */
  command<P extends OperationPath>(path: P, input: OperationInput<P>): Promise<OperationOutput<P>> {
    return this.orFailure(this.tryCommand(path, input));
  }

  /** Calls a download. @throws Failure */
  download<P extends OperationPath>(
    path: P,
    input: OperationInput<P>,
    options: RequestOptions = {},
  ): Promise<Response> {
    return this.orFailure(this.request(`/api/${path}${searchOf(input as object)}`, options));
  }

  /**
   * Fetches a file of any size, from the console or from the store that it redirects to, which gets no token.
   * @throws Failure
   */
  async fetchFile<P extends OperationPath>(
    path: P,
    input: OperationInput<P>,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array>> {
    const address = new URL(`/api/${path}${searchOf(input as object)}`, this.url);
    try {
      const direct = await send(address, { headers: this.headers, signal });
      const location = direct.status === 302 ? direct.headers.get("location") : null;
      if (location === null && !direct.ok) {
        await direct.body?.cancel();
        // Says why, as every refused call does.
        await this.orFailure(this.request(`/api/${path}${searchOf(input as object)}`));
      }
      const source = location === null ? address : new URL(location, address);
      const response = location === null ? direct : await send(source, { signal });
      if (!response.ok || !response.body)
        throw foreignFailure(source.origin, response.status, response.headers.get("content-type"));
      return response.body as unknown as AsyncIterable<Uint8Array>;
    } catch (error) {
      if (error instanceof Failure || signal.aborted) throw error;
      throw networkFailure(this.url, error);
    }
  }

  async orFailure<T>(call: Promise<T>): Promise<T> {
    try {
      return await call;
    } catch (error) {
      throw error instanceof ApiCallError ? callFailure(this.url, error) : error;
    }
  }
}

function redirectFailure(url: string, location: string | null): Failure {
  const target = location !== null && URL.canParse(location, url) ? new URL(location, url).origin : null;
  return target === null || target === url
    ? unreachableFailure(`${url} redirects and does not answer as a Slipway console.`)
    : unreachableFailure(`${url} redirects to ${target}.`, `Use that address: --console ${target}`);
}

/** The options that say which console is called. */
export interface ConsoleFlags {
  console?: string;
}

/** What the command line, the environment and slipway.json say, in this order. */
export function settingsOf(context: Context, flags: ConsoleFlags & { app?: string; environment?: string }) {
  const project = readProject(context.folder);
  const { environment: variables } = context;
  const given = flags.console ?? (variables.SLIPWAY_CONSOLE || undefined);
  return {
    console: given ?? project.console,
    /** Whether slipway.json alone names the console: others may have written that file. */
    isConsoleOfProject: given === undefined && project.console !== undefined,
    app: flags.app ?? (variables.SLIPWAY_APP || project.app),
    environment: flags.environment ?? (variables.SLIPWAY_ENVIRONMENT || project.environment),
  };
}

/** A session is kept alive if that was longer ago. */
const REFRESH_AFTER_MS = 5 * 60_000;

/** The token of SLIPWAY_TOKEN; null if it is not set. @throws Failure if it cannot be one */
function variableToken({ environment }: Context): string | null {
  const token = environment.SLIPWAY_TOKEN?.trim() || null;
  if (token !== null && /[^\u0021-\u007e]/.test(token))
    throw usageFailure("SLIPWAY_TOKEN is not a token: it has spaces or other characters.");
  return token;
}

/**
 * Refuses to send SLIPWAY_TOKEN to a console that slipway.json alone names. The file may come with a folder of somebody else,
 * who would get the token. A stored credential needs no such check, because it belongs to the console that it was stored for.
 * @throws Failure
 */
function requireOwnChoice(context: Context, url: string): void {
  if (readCredentials(context).current === url) return;
  throw usageFailure(
    `SLIPWAY_TOKEN is not sent to ${url}, which only ${PROJECT_FILE} names.`,
    `If it is the console of the token, set SLIPWAY_CONSOLE=${url}, or use --console ${url}.`,
  );
}

/**
 * The console of a command with the token for it: that of SLIPWAY_TOKEN, or the one that is stored for the console.
 * @returns a token of null where none is known
 * @throws Failure if no console is known, or if SLIPWAY_TOKEN would be sent to a console that slipway.json alone names
 */
export function consoleAndToken(context: Context, flags: ConsoleFlags): { url: string; token: string | null } {
  const { console: named, isConsoleOfProject } = settingsOf(context, flags);
  const fromVariable = variableToken(context);
  const url = fromVariable && named !== undefined ? consoleUrl(named) : chooseConsole(context, named);
  if (fromVariable && isConsoleOfProject) requireOwnChoice(context, url);
  return { url, token: fromVariable ?? readCredentials(context).consoles[url]?.token ?? null };
}

/**
 * Connects to the console of a command, with the token of SLIPWAY_TOKEN or the stored one.
 * @throws Failure if no console or no token is known
 */
export async function connect(
  context: Context,
  flags: ConsoleFlags,
  patienceWith: (console: Console) => Patience | null = () => null,
): Promise<Console> {
  const { url, token } = consoleAndToken(context, flags);
  const console = new Console(url, token);
  console.patience = patienceWith(console);
  if (variableToken(context)) return console;
  const credential = readCredentials(context).consoles[url];
  if (!credential) {
    throw new Failure(EXIT.refused, `You are not signed in to ${url}.`, {
      code: "not_authenticated",
      hints: [`Sign in with \`slipway login ${url}\`, or set SLIPWAY_TOKEN.`],
    });
  }
  // Only the difference counts, so a wrong clock does no harm.
  if (credential.kind === "session" && Math.abs(Date.now() - credential.refreshedAt) > REFRESH_AFTER_MS) {
    const refresh = (signal?: AbortSignal) => console.tryCommand("auth/refresh", {}, { signal });
    await console.orFailure(console.patience ? console.patience(refresh) : refresh());
    noteRefresh(context, url);
  }
  return console;
}
