import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { makeGate } from "./gate";
import { prepareHttpServer } from "./node-server";

const REQUEST = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

it("a server that closes answers the requests of all connections that were open", async () => {
  const connections = prepareHttpServer({ gate: makeGate({ byPath: {}, below: {} }) });
  const server = createServer((_request, response) => response.end("answered")).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const sockets = Array.from({ length: 50 }, () => connect(port, "127.0.0.1"));
  const answers = sockets.map(text);
  await Promise.all(sockets.map((socket) => once(socket, "connect")));

  // The operating system has opened all connections, and the server has accepted few of them.
  const closed = connections.close();
  for (const socket of sockets) socket.write(REQUEST);
  await closed;
  await connections.idle();
  server.closeAllConnections();
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/\r\n\r\nanswered$|answered\r\n0\r\n\r\n$/);
  await expect(once(connect(port, "127.0.0.1"), "connect")).rejects.toMatchObject({ code: "ECONNREFUSED" });
});
