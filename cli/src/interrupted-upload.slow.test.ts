import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { writeIpa } from "@slipway/installers/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { operations } from "@/lib/operations";
import { anApp, aSession, aUser } from "@/lib/testing/console";
import { serveOperations, type TestServer } from "@/lib/testing/server";
import { setUpTestDatabase } from "@/scripts/test-database";
import { fileSha256 } from "./lib/installer";
import { setUpTool } from "./testing/tool";

setUpTestDatabase();
const tool = setUpTool();

/** SLIPWAY_TEST_UPLOAD_BYTES=2000000000 sends 2 GB. */
const BYTES = Number(process.env.SLIPWAY_TEST_UPLOAD_BYTES ?? 64_000_000);
const TIMEOUT_MS = 120_000 + BYTES / 1_000;
/** What happens when these shares of the file have passed. */
const EVENTS = ["cut", "cut", "restart", "cut", "cut", "restart", "cut"].map((event, index) => ({
  event,
  atBytes: (BYTES * (index + 1)) / 8,
}));

let server: TestServer;
let network: Server;
const connections = new Set<Socket>();
const happened: string[] = [];

/** A network between tool and console, which breaks at the events. */
function breakingNetwork(): Server {
  let passed = 0;
  return createServer((client) => {
    const onward = connect(server.port, "127.0.0.1");
    for (const [end, other] of [
      [client, onward],
      [onward, client],
    ] as const) {
      connections.add(end);
      end.on("error", () => undefined);
      end.on("close", () => {
        connections.delete(end);
        other.destroy();
      });
      end.pipe(other);
    }
    client.on("data", (chunk) => {
      passed += chunk.length;
      const next = EVENTS[happened.length];
      if (!next || passed < next.atBytes) return;
      happened.push(next.event);
      if (next.event === "cut") for (const one of connections) one.destroy();
      else
        void server.close().then(async () => (server = await serveOperations(Object.values(operations), server.port)));
    });
  });
}

beforeAll(async () => {
  server = await serveOperations(Object.values(operations));
  network = breakingNetwork();
  await new Promise<void>((resolve) => network.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  network.close();
  await server.close();
});

it("an upload over five cuts and two restarts of the server arrives with its hash", {
  timeout: TIMEOUT_MS,
}, async () => {
  const app = await anApp({ environments: [{ name: "Testing" }] });
  const { userId } = await aUser({ grants: [{ scopes: ["release:create"], apps: [{ appId: app.appId }] }] });
  const path = join(tool.folder, "Interrupted.ipa");
  await writeIpa(path, { identifier: app.identifier, fillerBytes: BYTES });
  const { port } = network.address() as { port: number };
  const { code, stdout, stderr } = await tool.run(["upload", path, "--json"], {
    env: { SLIPWAY_CONSOLE: `http://127.0.0.1:${port}`, SLIPWAY_TOKEN: (await aSession(userId)).token },
  });
  expect(code, stderr).toBe(0);
  expect(happened).toEqual(EVENTS.map(({ event }) => event));
  const release = await db.release.findUniqueOrThrow({
    where: { id: JSON.parse(stdout).id },
    include: { file: true },
  });
  expect(release.file.sha256).toBe(await fileSha256(path));
});
