import { type ClientRequest, request as httpRequest, type RequestOptions } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { BlockList, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { bareHost } from "@/lib/kernel/bare-host";
import { unreachableFailure, usageFailure } from "./failure";
import type { Environment } from "./terminal";

// The proxies of HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY, as curl reads them. Node 20 does not read these variables.

const CONNECT_TIMEOUT_MS = 30_000;

/** The first of some variables that is set; lower case goes first, as in curl. */
function variable(environment: Environment, ...names: string[]): { name: string; value: string } | null {
  for (const name of names.flatMap((one) => [one.toLowerCase(), one])) {
    const value = environment[name]?.trim();
    if (value) return { name, value };
  }
  return null;
}

function portOf(url: URL): number {
  return Number(url.port) || (url.protocol === "https:" ? 443 : 80);
}

/** Whether an entry of NO_PROXY names a host: itself, a domain above it, an address, or a network such as 10.0.0.0/8. */
function excludes(entry: string, url: URL): boolean {
  if (entry === "*") return true;
  const host = bareHost(url);
  const [, address = "", prefix] = /^\[?([0-9a-f:.]+)\]?(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
  const family = isIP(address);
  if (family !== 0) {
    if (isIP(host) !== family) return false;
    const type = family === 6 ? "ipv6" : "ipv4";
    const most = family === 6 ? 128 : 32;
    const network = new BlockList();
    network.addSubnet(address, Math.min(Number(prefix ?? most), most), type);
    return network.check(host, type);
  }
  const [, name = "", port] = /^\*?\.?([^:]+?)\.?(?::(\d+))?$/.exec(entry) ?? [];
  if (name === "" || (port !== undefined && Number(port) !== portOf(url))) return false;
  return host === name || host.endsWith(`.${name}`);
}

/**
 * The proxy for a URL; null if it is reached directly.
 * @throws Failure if the variable is not the URL of an HTTP proxy
 */
export function proxyFor(url: URL, environment: Environment = process.env): URL | null {
  const found = variable(environment, url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY", "ALL_PROXY");
  if (found === null) return null;
  const exceptions =
    variable(environment, "NO_PROXY")
      ?.value.toLowerCase()
      .split(/[\s,]+/) ?? [];
  if (exceptions.filter(Boolean).some((entry) => excludes(entry, url))) return null;
  const text = /^[a-z0-9]+:\/\//i.test(found.value) ? found.value : `http://${found.value}`;
  const proxy = URL.canParse(text) ? new URL(text) : null;
  // The value may have a password in it.
  if (!proxy || !/^https?:$/.test(proxy.protocol))
    throw usageFailure(`${found.name} is not the URL of an HTTP proxy, such as http://proxy.example.com:3128.`);
  return proxy;
}

function credentialsOf({ username, password }: URL): Record<string, string> {
  if (!username && !password) return {};
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "Proxy-Authorization": `Basic ${Buffer.from(text).toString("base64")}` };
}

function requestTo(proxy: URL, options: RequestOptions): ClientRequest {
  const send = proxy.protocol === "https:" ? httpsRequest : httpRequest;
  return send({ ...options, host: bareHost(proxy), port: portOf(proxy) });
}

/**
 * Opens a connection through a proxy (RFC 9110, 9.3.6).
 * @throws Failure if the proxy cannot be reached or refuses
 */
export function tunnel(proxy: URL, host: string, port: number): Promise<Socket> {
  const authority = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  return new Promise((resolve, reject) => {
    const headers = { Host: authority, ...credentialsOf(proxy) };
    const request = requestTo(proxy, { method: "CONNECT", path: authority, headers, agent: false });
    request.setTimeout(CONNECT_TIMEOUT_MS, () =>
      request.destroy(Object.assign(new Error("no answer"), { code: "ETIMEDOUT" })),
    );
    request.on("connect", ({ statusCode = 0 }, socket) => {
      socket.setTimeout(0);
      if (statusCode >= 200 && statusCode < 300) return resolve(socket as Socket);
      socket.destroy();
      const hints = statusCode === 407 ? ["Put the name and the password of the proxy into the variable."] : [];
      reject(unreachableFailure(`The proxy ${proxy.host} refused the connection with status ${statusCode}.`, ...hints));
    });
    request.on("response", ({ statusCode }) => {
      request.destroy();
      reject(unreachableFailure(`${proxy.host} is no proxy: it answered with status ${statusCode}.`));
    });
    request.on("error", (error: NodeJS.ErrnoException) =>
      reject(unreachableFailure(`The proxy ${proxy.host} cannot be reached: ${error.code ?? error.message}.`)),
    );
    request.end();
  });
}

/** Keeps connections through proxies. */
class TunnelAgent extends HttpsAgent {
  readonly #proxy: URL;

  constructor(proxy: URL) {
    super({ keepAlive: true });
    this.#proxy = proxy;
  }

  override createConnection(
    options: RequestOptions & { servername?: string },
    callback?: (error: Error | null, stream: Socket) => void,
  ): undefined {
    const host = options.host ?? "localhost";
    tunnel(this.#proxy, host, Number(options.port) || 443).then(
      (socket) => {
        const { servername = isIP(host) ? "" : host } = options;
        callback?.(null, connectTls({ ...(options as object), socket, servername }));
      },
      (error: Error) => callback?.(error, undefined as unknown as Socket),
    );
  }
}

const agents = new Map<string, TunnelAgent>();

function agentFor(proxy: URL): TunnelAgent {
  const agent = agents.get(proxy.href) ?? new TunnelAgent(proxy);
  agents.set(proxy.href, agent);
  return agent;
}

/** Begins a request through a proxy: a tunnel for HTTPS, and a request to the proxy itself for HTTP. */
export function requestThrough(proxy: URL, url: URL, options: RequestOptions): ClientRequest {
  if (url.protocol === "https:") return httpsRequest(url, { ...options, agent: agentFor(proxy) });
  const headers = { Host: url.host, ...credentialsOf(proxy), ...(options.headers as object) };
  return requestTo(proxy, { ...options, path: url.href, headers, agent: undefined });
}
