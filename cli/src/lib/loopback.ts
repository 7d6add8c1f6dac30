import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { EXIT, Failure } from "./failure";

/** The answer of a console at the loopback address (RFC 6749, 4.1.2). */
type AuthorizationAnswer = { code: string } | { error: string };

/** A server that waits for one answer at a loopback address (RFC 8252, 7.3). */
interface LoopbackReceiver {
  redirectUri: string;
  answer: Promise<AuthorizationAnswer>;
  close(): void;
}

/** The loopback addresses, in the order in which they are tried. */
const HOSTS: readonly string[] = ["127.0.0.1", "::1"];

/** Listens on a free port of the first address that this machine has. @returns the origin */
async function listen(server: Server, hosts: readonly string[]): Promise<string> {
  let failure: NodeJS.ErrnoException | undefined;
  for (const host of hosts) {
    failure = await new Promise((resolve) => {
      server.once("error", resolve);
      server.listen(0, host, () => {
        server.off("error", resolve);
        resolve(undefined);
      });
    });
    const { port } = (server.address() ?? {}) as Partial<AddressInfo>;
    if (!failure) return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  }
  throw new Failure(EXIT.refused, `No port of ${hosts.join(" or ")} can be opened: ${failure?.message}.`);
}

/**
 * Listens on a free port of a loopback address. Only requests for that very address with the state of this sign-in are taken; others,
 * such as those of a web page that guesses the port, are refused, and the server goes on waiting.
 * @param pageAfter the page of the console to which the browser is sent, by whether the sign-in was allowed
 * @param hosts the addresses to try
 */
export async function receiveAuthorization(
  state: string,
  pageAfter: (allowed: boolean) => string,
  hosts = HOSTS,
): Promise<LoopbackReceiver> {
  const received = Promise.withResolvers<AuthorizationAnswer>();
  let origin = "";
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", origin);
    const headers = { "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", Connection: "close" };
    const isAnswer =
      request.method === "GET" && url.pathname === "/callback" && `http://${request.headers.host}` === origin;
    if (!isAnswer || url.searchParams.get("state") !== state) {
      response.writeHead(isAnswer ? 400 : 404, headers).end();
      return;
    }
    const code = url.searchParams.get("code");
    response.writeHead(303, { ...headers, Location: pageAfter(code !== null) }).end();
    received.resolve(code === null ? { error: url.searchParams.get("error") ?? "unknown" } : { code });
  });
  origin = await listen(server, hosts);
  return {
    redirectUri: `${origin}/callback`,
    answer: received.promise,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
