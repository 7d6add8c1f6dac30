import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Operation } from "@/lib/api/operation";
import { noRoute } from "@/lib/api/route";
import { operationRoutes } from "@/lib/api/routes";
import { listenerOf } from "@/lib/http/listener";
import type { Routes } from "@/lib/http/routes";

/** An HTTP server for operations. */
export interface TestServer {
  /** `http://127.0.0.1:<port>` */
  url: string;
  port: number;
  close(): Promise<void>;
}

/** Serves operations on a port of the loopback interface, by default a free one. */
export function serveOperations(operations: readonly Operation[], wantedPort = 0): Promise<TestServer> {
  return serveRoutes({ byPath: operationRoutes(operations), below: {}, otherwise: noRoute, pages: [] }, wantedPort);
}

/** Serves routes as `serveOperations`. */
export async function serveRoutes(routes: Routes, wantedPort = 0): Promise<TestServer> {
  const listener = listenerOf(routes);
  const server = createServer((request, response) => {
    if (!listener(request, response, () => {})) response.destroy();
  });
  await new Promise<void>((resolve) => server.listen(wantedPort, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
