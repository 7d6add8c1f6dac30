import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it, vi } from "vitest";
import type { Server } from "../postgres.mjs";
import { openFirstPage, openOnce, watchDatabase } from "./serve.mjs";

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
  vi.restoreAllMocks();
});

/** A server that answers each path with a status, or not at all. */
async function serve(status: number | undefined) {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? "");
    if (status !== undefined) response.writeHead(status).end();
  }).listen(0, "127.0.0.1");
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { port, paths, url: `http://127.0.0.1:${port}/` };
}

it("an address that answers is opened without a reason against it, and others with one", async () => {
  expect(await openOnce((await serve(200)).url)).toBeUndefined();
  expect(await openOnce((await serve(503)).url)).toBe("it answers 503");
  const { port, url } = await serve(200);
  for (const end of ends.splice(0)) end();
  expect([port > 0, await openOnce(url)]).toEqual([true, "ECONNREFUSED"]);
});

it("the development server is ready when its sign-in page has been answered", async () => {
  const { port, paths } = await serve(200);
  await openFirstPage(port, () => false);
  expect(paths).toEqual(["/"]);
});

it("a development server that is stopped is not waited for", async () => {
  const { port, paths } = await serve(undefined);
  await openFirstPage(port, () => paths.length > 0);
  expect(paths).toEqual(["/"]);
});

/** A PID that no process has. */
const NO_PID = 2 ** 30;
const aDatabase = (pid: number, port = 5432) => ({ pid, url: `postgresql://127.0.0.1:${port}/slipway` }) as Server;

it("a database that cannot be started is tried again, which is said once", async () => {
  const said = vi.spyOn(console, "error").mockReturnValue();
  const database = aDatabase(NO_PID);
  let starts = 0;
  const start = async () => {
    starts += 1;
    if (starts < 3) throw new Error("No space left on device");
    return aDatabase(process.pid);
  };
  const onMoved = vi.fn();
  await watchDatabase(database, { isOver: () => database.pid === process.pid, start, onMoved, everyMs: 1 });
  expect(said.mock.calls.flat()).toEqual([
    "  The database has ended unexpectedly; it is started again.",
    "  The database could not be started, which is tried again: No space left on device",
    "  The database runs again.",
  ]);
  expect([starts, onMoved.mock.calls.length]).toEqual([3, 0]);
});

it("the console is started again when its database has another port", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  const database = aDatabase(NO_PID);
  let movedTo: string | undefined;
  const onMoved = async () => {
    movedTo = database.url;
  };
  await watchDatabase(database, {
    isOver: () => movedTo !== undefined,
    start: async () => aDatabase(process.pid, 5433),
    onMoved,
    everyMs: 1,
  });
  expect([movedTo, database.pid]).toEqual([aDatabase(0, 5433).url, process.pid]);
});
