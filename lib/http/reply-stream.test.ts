import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, readlink, rm } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { DiskDriver } from "@/lib/storage/disk";
import type { Piece, Pieces } from "./chunks";
import { sendStream } from "./reply-stream";
import { BUSY_TURN_BYTES } from "./send-turns";
import { createConsoleServer } from "./server/console-server";

const KEY = "installers/019a0000-0000-7000-8000-000000000001";
const bytes = randomBytes(5_000_000);
let dataDir: string;
let disk: DiskDriver;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "slipway-reply-"));
  disk = new DiskDriver({ dataDir });
  await disk.put(KEY, Readable.from([bytes]), { contentType: "application/octet-stream", maxBytes: bytes.length });
});
afterAll(() => rm(dataDir, { recursive: true }));

/** How many descriptors of this process are open on the stored file. */
async function openFiles(): Promise<number> {
  const links = (await readdir("/proc/self/fd")).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ""));
  return (await Promise.all(links)).filter((target) => target === join(dataDir, "files", KEY)).length;
}

const servers: Server[] = [];
const responses: ServerResponse[] = [];
const failures: unknown[] = [];
afterEach(() => {
  responses.length = 0;
  failures.length = 0;
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** A server that answers with a stream. */
async function serve(
  open: () => Promise<Readable>,
  before: (response: ServerResponse) => unknown = () => {},
): Promise<string> {
  const server = createServer(async (_request, response) => {
    responses.push(response);
    const source = await open();
    await before(response);
    await sendStream(source, response).catch((error) => failures.push(error));
  });
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

it("sends the bytes as they are, whole or a range of them, and closes the file", async () => {
  const whole = await fetch(await serve(() => disk.get(KEY)));
  expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);
  const range = { start: 1_234_567, end: 4_000_000 };
  const part = await fetch(await serve(() => disk.get(KEY, range)));
  expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(range.start, range.end + 1))).toBe(true);
  await expect.poll(openFiles).toBe(0);
});

it("sends every byte in its place to a client that makes it wait, though blocks are filled again", async () => {
  const key = "installers/019a0000-0000-7000-8000-000000000002";
  const many = randomBytes(40_000_000);
  await disk.put(key, Readable.from([many]), { contentType: "application/octet-stream", maxBytes: many.length });
  const url = await serve(() => disk.get(key));
  const answer = await fetch(url);
  // The socket's buffer is full: a block waits in this process.
  await expect.poll(() => responses[0]?.writableNeedDrain).toBe(true);
  expect(Buffer.from(await answer.arrayBuffer()).equals(many)).toBe(true);
});

it("leaves nothing open after many clients that hang up in the middle", async () => {
  const url = await serve(() => disk.get(KEY));
  const clients = Array.from({ length: 30 }, async () => {
    const reader = ((await fetch(url)).body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await reader.cancel();
  });
  await Promise.all(clients);
  await expect.poll(openFiles).toBe(0);
  expect(failures).toEqual([]);
});

it("closes the file if the client is gone before anything is sent", async () => {
  const url = await serve(
    () => disk.get(KEY),
    async (response) => {
      response.destroy();
      await once(response, "close");
    },
  );
  await expect(fetch(url)).rejects.toThrow();
  await expect.poll(openFiles).toBe(0);
  expect(failures).toEqual([]);
});

it("closes the connection where the source fails, so that no client takes a part for the whole", async () => {
  const url = await serve(async () => {
    const source = await disk.get(KEY);
    setImmediate(() => source.destroy(new Error("the disk is gone")));
    return source;
  });
  await expect(fetch(url).then((answer) => answer.arrayBuffer())).rejects.toThrow();
  await expect.poll(openFiles).toBe(0);
  expect(failures).toEqual([expect.objectContaining({ message: "the disk is gone" })]);
});

/** A source that has as many pieces as a client takes. */
class Endless extends Readable implements Pieces {
  static taken = 0;

  async nextPiece(): Promise<Piece> {
    Endless.taken += 1;
    return { bytes: Buffer.alloc(BUSY_TURN_BYTES), release: () => {} };
  }
}

it("sends one block in each turn of the event loop while other requests arrive and are answered", async () => {
  const DOWNLOADS = 8;
  const REQUESTS = 100;
  const open: ServerResponse[] = [];
  let turns = 0;
  let isCounting = true;
  const countTurn = () => {
    turns += 1;
    if (isCounting) setImmediate(countTurn);
  };
  let takenBefore = 0;
  const { promise: allArrived, resolve } = Promise.withResolvers<void>();
  const server = createConsoleServer((request, response) => {
    if (request.url === "/download") return void sendStream(new Endless(), response);
    if (open.push(response) === 1) {
      takenBefore = Endless.taken;
      countTurn();
    }
    if (open.length === REQUESTS) resolve();
  });
  servers.push(server.http);
  await server.listen(0, "127.0.0.1");
  const { port } = server.http.address() as AddressInfo;
  const send = (path: string) => {
    const socket = connect(port, "127.0.0.1")
      .on("error", () => {})
      .resume();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    return socket;
  };
  const clients = Array.from({ length: DOWNLOADS }, () => send("/download"));
  await expect.poll(() => Endless.taken).toBeGreaterThan(10 * DOWNLOADS);
  clients.push(...Array.from({ length: REQUESTS }, () => send("/other")));
  await allArrived;
  isCounting = false;
  // Each download has taken the piece that it sends next.
  expect(Endless.taken - takenBefore).toBeLessThanOrEqual(turns + DOWNLOADS);
  for (const client of clients) client.destroy();
});
