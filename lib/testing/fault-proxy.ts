import { once } from "node:events";
import { createServer, type IncomingMessage, request as requestOnward, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream";

/** What becomes of one request: it is passed on, held for ever, cut, or answered here. */
export type Treatment =
  | "pass"
  | "hang"
  | "cut"
  | {
      /** Answers in the server's place; the server never hears of the request. */
      status: number;
      body?: string;
    }
  | {
      /** Passed on, its answer's headers changed. */
      headers: Record<string, string>;
    };

/** An HTTP proxy that breaks things on purpose. */
export interface FaultProxy {
  /** `http://127.0.0.1:<port>` */
  url: string;
  /** Decides on each request; all are passed on at first. */
  treat(rule: (request: { method: string; url: URL }) => Treatment): void;
  /** From now on requests go to these servers in turns. */
  forwardTo(...targets: string[]): void;
  /** Ends every connection that is open. */
  cutAll(): void;
  close(): Promise<void>;
}

/**
 * Starts a proxy on a free port of the loopback interface. What it passes on keeps its Host header, so that signed
 * requests and addresses made of it stay right.
 *
 * @param targets `http://host:port`, asked in turns
 */
export async function startFaultProxy(...targets: string[]): Promise<FaultProxy> {
  let rule: (request: { method: string; url: URL }) => Treatment = () => "pass";
  let servers = targets;
  let turn = 0;

  const passOn = (request: IncomingMessage, response: ServerResponse, headers: Record<string, string>) => {
    const target = new URL(servers[turn++ % servers.length] as string);
    const onward = requestOnward(
      { host: target.hostname, port: target.port, method: request.method, path: request.url, headers: request.headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...headers });
        pipeline(answer, response, () => {});
      },
    );
    // As a load balancer does where nobody listens: an answer, not a cut connection.
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
    passOn(request, response, treatment === "pass" ? {} : treatment.headers);
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
