import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { createConsoleServer } from "./console-server";
import { makeGate } from "./gate";

const REQUEST = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

it("a server that closes answers the requests of all connections that were open", async () => {
  const gate = makeGate({ below: {} });
  const server = createConsoleServer((_request, response) => response.end("answered"), { gate });
  await server.listen(0, "127.0.0.1");
  const { port } = server.http.address() as AddressInfo;
  const sockets = Array.from({ length: 50 }, () => connect(port, "127.0.0.1"));
  const answers = sockets.map(text);
  await Promise.all(sockets.map((socket) => once(socket, "connect")));

  // The operating system has opened all connections, and the server has accepted few of them.
  const closed = server.close();
  for (const socket of sockets) socket.write(REQUEST);
  await closed;
  await server.idle();
  server.destroy();
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(/\r\n\r\nanswered$|answered\r\n0\r\n\r\n$/);
  await expect(once(connect(port, "127.0.0.1"), "connect")).rejects.toMatchObject({ code: "ECONNREFUSED" });
});
