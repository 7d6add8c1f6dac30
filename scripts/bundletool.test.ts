import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { projectDir } from "./lib/files.mjs";

/** Downloads from a mirror that answers each request with a status. @returns what it was asked for, and what the command wrote */
async function downloadFrom(status: number) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(String(request.url));
    response.writeHead(status).end("not a jar");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const folder = await mkdtemp(join(tmpdir(), "slipway-bundletool-"));
  const MAVEN_MIRROR = `http://127.0.0.1:${(server.address() as AddressInfo).port}/maven/`;
  const child = spawn(process.execPath, [join(projectDir, "scripts", "bundletool.mjs"), folder], {
    env: { ...process.env, MAVEN_MIRROR },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [written, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
  return { asked, written, code };
}

it.each([
  [503, 3],
  [404, 1],
])("a mirror that answers %i is asked %i times, and the way out is told in one line", async (status, times) => {
  const { asked, written, code } = await downloadFrom(status);
  expect(asked).toHaveLength(times);
  expect(asked[0]).toMatch(/^\/maven\/.*\.jar$/);
  expect([code, written.trim().split("\n")]).toEqual([1, [expect.stringContaining(`the answer is ${status}.`)]]);
  for (const name of ["HTTPS_PROXY", "NODE_EXTRA_CA_CERTS", "MAVEN_MIRROR", "BUILD_BUNDLETOOL=off"]) {
    expect(written).toContain(name);
  }
});

it("a file that is another one is not kept", async () => {
  const { written, code } = await downloadFrom(200);
  expect([code, written]).toEqual([1, expect.stringContaining("has another SHA-256")]);
});
