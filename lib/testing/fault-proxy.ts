import { once } from "node:events";
import { createServer, type IncomingMessage, request as requestOnward, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream";

/** How a request is handled: forwarded, never answered, disconnected, answered by the proxy, or forwarded with other response headers. */
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
    };

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

  const forward = (request: IncomingMessage, response: ServerResponse, headers: Record<string, string>) => {
    const target = new URL(servers[turn++ % servers.length] as string);
    const onward = requestOnward(
      { host: target.hostname, port: target.port, method: request.method, path: request.url, headers: request.headers },
      (reply) => {
        response.writeHead(reply.statusCode ?? 502, { ...reply.headers, ...headers });
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
    forward(request, response, treatment === "pass" ? {} : treatment.headers);
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
