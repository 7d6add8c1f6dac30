import type { AddressInfo } from "node:net";
import type { Operation } from "@/lib/api/operation";
import { noRoute } from "@/lib/api/route";
import { operationRoutes } from "@/lib/api/routes";
import type { Routes } from "@/lib/http/routes";
import { createConsoleServer } from "@/lib/http/server/console-server";
import { makeGate } from "@/lib/http/server/gate";
import { listenerOf } from "@/lib/http/server/listener";

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

/** Serves routes as `serveOperations`, by the console's HTTP server. */
export async function serveRoutes(routes: Routes, wantedPort = 0): Promise<TestServer> {
  const server = createConsoleServer((_request, response) => void response.destroy(), {
    gate: makeGate(routes),
    listener: listenerOf(routes),
  });
  await server.listen(wantedPort, "127.0.0.1");
  const { port } = server.http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    async close() {
      server.destroy();
      await new Promise((resolve) => server.http.close(resolve));
    },
  };
}
