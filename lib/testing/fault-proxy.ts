import { once } from "node:events";
import { createServer, type IncomingMessage, request as requestOnward, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream";

/** How a request is handled: forwarded, never answered, disconnected, answered by the proxy, or forwarded with another response. */
export type Treatment =
  | "pass"
  | "hang"
  | "cut"
  | {
      /** The proxy responds with this status, and the server does not receive the request. */
      status: number;
      body?: string;
    }
  | {
      /** The request is forwarded, and these headers are set on the response. */
      headers: Record<string, string>;
    }
  | {
      /** The request is forwarded, and the body of the response is replaced. */
      change(body: Buffer): Buffer;
      /** Whether the response keeps its length. Then a shorter body is followed by a disconnection. */
      keepsLength: boolean;
    };

type Forwarding = Extract<Treatment, { headers: unknown } | { change: unknown }>;

async function replaceBody(
  reply: IncomingMessage,
  response: ServerResponse,
  { change, keepsLength }: Extract<Treatment, { change: unknown }>,
): Promise<void> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of reply) chunks.push(chunk as Buffer);
  } catch {
    return void response.destroy();
  }
  const body = Buffer.concat(chunks);
  const changed = change(body);
  const { "transfer-encoding": _, ...headers } = reply.headers;
  const length = keepsLength ? body.length : changed.length;
  response.writeHead(reply.statusCode ?? 502, { ...headers, "content-length": String(length) });
  if (changed.length === length) return void response.end(changed);
  response.write(changed, () => response.destroy());
}

/** An HTTP proxy that injects faults. */
export interface FaultProxy {
  /** `http://127.0.0.1:<port>` */
  url: string;
  /** Sets the rule that handles each request. Initially, all are forwarded. */
  treat(rule: (request: { method: string; url: URL }) => Treatment): void;
  /** Sets the servers that requests are forwarded to alternately. */
  forwardTo(...targets: string[]): void;
  /** Closes every open connection. */
  cutAll(): void;
  close(): Promise<void>;
}

/**
 * Starts a proxy on a free port of the loopback interface. It preserves the Host header, so that signatures and URLs derived
 * from it stay valid.
 *
 * @param targets `http://host:port`, used alternately
 */
export async function startFaultProxy(...targets: string[]): Promise<FaultProxy> {
  let rule: (request: { method: string; url: URL }) => Treatment = () => "pass";
  let servers = targets;
  let turn = 0;

  const forward = (request: IncomingMessage, response: ServerResponse, treatment: Forwarding) => {
    const target = new URL(servers[turn++ % servers.length] as string);
    const onward = requestOnward(
      { host: target.hostname, port: target.port, method: request.method, path: request.url, headers: request.headers },
      (reply) => {
        if ("change" in treatment) return void replaceBody(reply, response, treatment);
        response.writeHead(reply.statusCode ?? 502, { ...reply.headers, ...treatment.headers });
        pipeline(reply, response, () => {});
      },
    );
    // Like a load balancer, responds with 502 if the server is unavailable.
    onward.on("error", () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
    response.once("close", () => onward.destroy());
    pipeline(request, onward, () => {});
  };
  const proxy = createServer((request, response) => {
    const treatment = rule({ method: String(request.method), url: new URL(String(request.url), "http://proxy") });
    if (treatment === "hang") return;
    if (treatment === "cut") return void request.socket.destroy();
    if (typeof treatment === "object" && "status" in treatment) {
      request.resume();
      return void response.writeHead(treatment.status).end(treatment.body ?? "");
    }
    forward(request, response, treatment === "pass" ? { headers: {} } : treatment);
  });
  proxy.keepAliveTimeout = 120_000;
  proxy.requestTimeout = 0;
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    treat: (next) => {
      rule = next;
    },
    forwardTo: (...next) => {
      servers = next;
    },
    cutAll: () => proxy.closeAllConnections(),
    close: async () => {
      proxy.closeAllConnections();
      proxy.close();
      await once(proxy, "close");
    },
  };
}
