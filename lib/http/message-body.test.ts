import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { messageBody } from "./exchange";
import { createConsoleServer } from "./server/console-server";

/** Sends a body to a server that reads it as given. @returns the answer */
async function sent(
  bytes: Buffer<ArrayBuffer>,
  read: (body: NonNullable<ReturnType<typeof messageBody>>) => Promise<Buffer>,
) {
  const answer = async (response: ServerResponse) => {
    const body = messageBody();
    if (!body) throw new Error("the request is not known");
    response.end(await read(body));
  };
  const server = createConsoleServer((_request, response) => {
    answer(response).catch((error) => response.destroy(error));
  });
  await server.listen(0, "127.0.0.1");
  try {
    const { port } = server.http.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}`, { method: "PUT", body: bytes });
    return Buffer.from(await response.arrayBuffer());
  } finally {
    server.destroy();
    server.http.close();
  }
}

it("a body's chunks hold no memory any more once they are given back, and its other bytes are untouched", async () => {
  const bytes = randomBytes(3 * 1024 * 1024);
  const held: number[] = [];
  const echo = await sent(bytes, async (body) => {
    const copies: Buffer[] = [];
    for await (const chunk of body) {
      copies.push(Buffer.from(chunk));
      body.recycle(chunk);
      held.push(chunk.buffer.byteLength);
    }
    return Buffer.concat(copies);
  });
  expect(echo.equals(bytes)).toBe(true);
  expect(held.length).toBeGreaterThan(1);
  // A chunk may be so small that it shares its memory with others.
  expect(held.every((length) => length === 0 || length === Buffer.poolSize)).toBe(true);
  expect(held).toContain(0);
});

it("a piece of a chunk is given back without the rest", async () => {
  const bytes = randomBytes(100_000);
  const echo = await sent(bytes, async (body) => {
    const pieces: Uint8Array[] = [];
    for await (const chunk of body) {
      body.recycle(chunk.subarray(0, 10));
      pieces.push(chunk);
    }
    return Buffer.concat(pieces);
  });
  expect(echo.equals(bytes)).toBe(true);
});
