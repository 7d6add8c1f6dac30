import { once } from "node:events";
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import { prepareHttpServer } from "./node-server";

const connections = prepareHttpServer({ idleMs: 100, https: true });
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(answer: RequestListener): Promise<{ server: Server; port: number }> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return { server, port: (server.address() as AddressInfo).port };
}

async function open(port: number, text: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  await once(socket, "connect");
  socket.write(text);
  return socket;
}

it("a client that waits for a long piece of work is not cut off", async () => {
  const { server, port } = await serve((request, response) => {
    request.resume();
    let idleTimes = 0;
    // The answer comes only once the connection has stood still for several times as long as it may otherwise.
    server.on("timeout", () => {
      idleTimes += 1;
      if (idleTimes === 3) response.end("joined");
    });
  });
  const answer = await fetch(`http://127.0.0.1:${port}`, { method: "POST", body: "{}" });
  expect(await answer.text()).toBe("joined");
});

it("a client that stops sending in the middle of its body is cut off", async () => {
  const { port } = await serve((request) => request.resume());
  const socket = await open(port, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf");
  await once(socket, "close");
});

it("a client that does not take its answer is cut off", async () => {
  const closed = Promise.withResolvers<void>();
  const { port } = await serve((_request, response) => {
    response.once("close", closed.resolve);
    response.end(Buffer.alloc(64 * 1024 * 1024));
  });
  const socket = await open(port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  socket.pause();
  await closed.promise;
  socket.destroy();
});

it("every answer says that the console is to be had over HTTPS alone", async () => {
  const { port } = await serve((_request, response) => response.end());
  const answer = await fetch(`http://127.0.0.1:${port}`);
  expect(answer.headers.get("strict-transport-security")).toBe("max-age=31536000");
});

it("a method that no route can have reaches them as a wrong one", async () => {
  for (const method of ["TRACE", "PROPFIND"]) {
    const asked = Promise.withResolvers<string | undefined>();
    const { port } = await serve((request, response) => {
      asked.resolve(request.method);
      response.end();
    });
    const socket = await open(port, `${method} / HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(await asked.promise).toBe("OPTIONS");
    socket.destroy();
  }
});

it("says when nothing is being answered any more", async () => {
  const begun = Promise.withResolvers<ServerResponse>();
  const { port } = await serve((_request, response) => begun.resolve(response));
  const answer = fetch(`http://127.0.0.1:${port}`);
  const response = await begun.promise;
  let idle = false;
  const waiting = connections.idle().then(() => {
    idle = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(idle).toBe(false);
  response.end("done");
  expect(await (await answer).text()).toBe("done");
  await waiting;
});
