import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readlink, rm } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { DiskDriver } from "@/lib/storage/disk";
import { replyStream } from "./reply-stream";

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

const never = () => new AbortController().signal;

describe("an answer from the disk", () => {
  it("brings the bytes as they are, whole or a range of them, and closes the file", async () => {
    const whole = new Response(replyStream(await disk.get(KEY), never(), null) as BodyInit);
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);
    const range = { start: 1_234_567, end: 4_000_000 };
    const part = new Response(replyStream(await disk.get(KEY, range), never(), null) as BodyInit);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(range.start, range.end + 1))).toBe(true);
    await expect.poll(openFiles).toBe(0);
  });

  it("reads no more than a few blocks ahead of who takes them", async () => {
    const source = await disk.get(KEY);
    const reader = replyStream(source, never(), null).getReader();
    let taken = (await reader.read()).value?.length ?? 0;
    taken += (await reader.read()).value?.length ?? 0;
    await expect.poll(() => source.readableLength).toBeGreaterThan(0);
    expect(source.readableLength).toBeLessThanOrEqual(2);
    expect(taken).toBeLessThan(1_100_000);
    await reader.cancel();
    await expect.poll(openFiles).toBe(0);
  });

  it.each([
    [
      "when the reader cancels in the middle",
      async (stream: ReturnType<typeof replyStream>) => {
        const reader = stream.getReader();
        await reader.read();
        await reader.cancel();
      },
    ],
    ["when it is cancelled unread", (stream: ReturnType<typeof replyStream>) => stream.cancel()],
  ])("closes the file %s", async (_when, leave) => {
    const stream = replyStream(await disk.get(KEY), never(), null);
    expect(await openFiles()).toBe(1);
    await leave(stream);
    await expect.poll(openFiles).toBe(0);
  });

  it("closes the file when the caller is gone before anything was read, or was gone from the start", async () => {
    const gone = new AbortController();
    replyStream(await disk.get(KEY), gone.signal, null);
    expect(await openFiles()).toBe(1);
    gone.abort();
    await expect.poll(openFiles).toBe(0);
    const stream = replyStream(await disk.get(KEY), AbortSignal.abort(), null);
    await expect(stream.getReader().read()).rejects.toThrow("broken off");
    await expect.poll(openFiles).toBe(0);
  });

  describe("over HTTP", () => {
    const servers: Server[] = [];
    const responses: ServerResponse[] = [];
    afterEach(async () => {
      responses.length = 0;
      for (const server of servers.splice(0)) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    });

    /** A server that answers as Next does: what the stream brings is written, and its end is the answer's. */
    async function serve(open: () => Promise<Readable>): Promise<string> {
      const server = createServer(async (_request, response) => {
        responses.push(response);
        const gone = new AbortController();
        response.once("close", () => gone.abort());
        response.flushHeaders();
        await replyStream(await open(), gone.signal, response)
          .pipeTo(Writable.toWeb(response), { signal: gone.signal })
          .catch(() => response.destroy());
      });
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    }

    it("brings every byte in its place to a client that makes it wait, though blocks are filled again", async () => {
      const key = "installers/019a0000-0000-7000-8000-000000000002";
      const many = randomBytes(40_000_000);
      await disk.put(key, Readable.from([many]), { contentType: "application/octet-stream", maxBytes: many.length });
      const sources: Readable[] = [];
      const url = await serve(async () => {
        sources.push(await disk.get(key));
        return sources.at(-1) as Readable;
      });
      const answer = await fetch(url);
      // The socket's buffer is full: blocks wait in this process, and others are read ahead.
      await expect.poll(() => responses[0]?.writableNeedDrain && sources[0]?.readableLength === 2).toBe(true);
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
    });

    it("breaks the connection off where the file ends too soon, so that no client takes it for the whole", async () => {
      const url = await serve(async () => {
        const source = await disk.get(KEY);
        source.once("data", () => source.destroy(new Error("the disk is gone"))).pause();
        return source;
      });
      await expect(fetch(url).then((answer) => answer.arrayBuffer())).rejects.toThrow();
      await expect.poll(openFiles).toBe(0);
    });
  });

  it("breaks off where its source fails, read or unread", async () => {
    const failing = () =>
      new Readable({
        read() {
          this.destroy(new Error("the disk is gone"));
        },
      });
    await expect(replyStream(failing(), never(), null).getReader().read()).rejects.toThrow("the disk is gone");
    const unread = failing();
    replyStream(unread, never(), null);
    unread.read();
    await expect.poll(() => unread.destroyed).toBe(true);
  });
});
