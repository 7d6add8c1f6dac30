import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { type Handler, isHealthPath, type Routes } from "../routes";
import { createConsoleServer } from "./console-server";
import { makeGate } from "./gate";
import { listenerOf } from "./listener";

const ok: Handler = async () => ({ status: 200, headers: new Headers(), body: "listener" });
const routes: Routes = {
  byPath: {
    "/api/read": { methods: ["GET", "HEAD"], handle: ok },
    "/api/write": { methods: ["POST"], handle: ok },
    "/api/health/live": { methods: ["GET", "HEAD"], handle: ok },
  },
  below: {},
  otherwise: ok,
  pages: [],
};

/** Serves the routes, of which Next answers those that the listener does not accept. @returns the server's address */
async function serve(accepts?: (path: string) => boolean): Promise<string> {
  const server = createConsoleServer((_request, response) => void response.end("next"), {
    gate: makeGate(routes),
    listener: listenerOf(routes, { accepts }),
  });
  await server.listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.http.close();
    server.destroy();
  });
  return `http://127.0.0.1:${(server.http.address() as AddressInfo).port}`;
}

it.each([
  ["POST", "/api/read?id=1", "GET, HEAD"],
  ["DELETE", "/api/read", "GET, HEAD"],
  ["OPTIONS", "/api/read", "GET, HEAD"],
  ["PUT", "/api/x/../read", "GET, HEAD"],
  ["PROPFIND", "/api/read", "GET, HEAD"],
  ["GET", "/api/write", "POST"],
  ["HEAD", "/api/write", "POST"],
])("%s %s is refused with the methods that the route has", async (method, path, allowed) => {
  const answer = await fetch((await serve()) + path, { method });
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, allowed]);
  const body = await answer.text();
  if (method === "HEAD") expect(body).toBe("");
  else expect(JSON.parse(body).code).toBe("method_not_allowed");
});

it("leaves to Next the paths that it is told not to accept", async () => {
  const url = await serve(isHealthPath);
  const answers = ["/api/read", "/api/write", "/api/health/live"].map(async (path) => (await fetch(url + path)).text());
  expect(await Promise.all(answers)).toEqual(["next", "next", "listener"]);
});
