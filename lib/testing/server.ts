import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Operation } from "@/lib/api/operation";
import { noRoute } from "@/lib/api/route";
import { operationRoutes } from "@/lib/api/routes";
import { listenerOf } from "@/lib/http/listener";

/** An HTTP server for operations. */
export interface TestServer {
  /** `http://127.0.0.1:<port>` */
  url: string;
  port: number;
  close(): Promise<void>;
}

/** Serves operations on a port of the loopback interface, by default a free one. */
export async function serveOperations(operations: readonly Operation[], wantedPort = 0): Promise<TestServer> {
  const listener = listenerOf({ byPath: operationRoutes(operations), below: {}, otherwise: noRoute, pages: [] });
  const server = createServer((request, response) => {
    if (!listener(request, response)) response.destroy();
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
