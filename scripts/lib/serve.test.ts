import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { openFirstPage, openOnce } from "./serve.mjs";

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
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
