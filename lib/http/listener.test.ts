import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { listenerOf } from "./listener";
import type { Handler } from "./routes";

it("a request that arrives before the start is answered after it", async () => {
  const started = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const events: string[] = [];
  const handle: Handler = async () => {
    events.push("handled");
    return { status: 204, headers: new Headers(), body: null };
  };
  const listener = listenerOf({ byPath: {}, below: {}, otherwise: handle, pages: [] }, { started: started.promise });
  const server = createServer((request, response) => {
    listener(request, response, () => {});
    arrived.resolve();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const answer = fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/x`);
  await arrived.promise;
  await new Promise(setImmediate);
  events.push("started");
  started.resolve();
  expect((await answer).status).toBe(204);
  expect(events).toEqual(["started", "handled"]);
  server.close().closeAllConnections();
});
