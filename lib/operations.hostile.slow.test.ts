import { processorTimeMs } from "@slipway/installers/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { MAX_DESCRIPTION } from "@/lib/features/releases/schema";
import { MAX_IMPORT_LENGTH } from "@/lib/features/testers/schema";
import { MAX_IMPORT } from "@/lib/features/variables/schema";
import { routes } from "@/lib/routes";
import { anApp, aToken, aUser } from "@/lib/testing/console";
import { HOSTILE_IMPORTS, HOSTILE_LISTS, HOSTILE_MARKDOWN } from "@/lib/testing/hostile-texts";
import { serveRoutes, type TestServer } from "@/lib/testing/server";
import { aTesterGroup } from "@/lib/testing/tester-groups";
import { setUpTestDatabase } from "@/scripts/test-database";

setUpTestDatabase();

/** Requests with a hostile text at the same time. */
const AT_ONCE = 4;
/** A quiet machine answers a health check within this time, also beside hostile texts. */
const MAX_PROCESSOR_MS = 500;

let server: TestServer;
let token: Record<string, string>;
let person: Record<string, string>;
let environmentId: string;
let groupId: string;

beforeAll(async () => {
  server = await serveRoutes(routes);
  const { appId, environmentIds } = await anApp();
  environmentId = environmentIds[0] as string;
  const admin = await aUser({ admin: true });
  groupId = (await aTesterGroup(admin, { appId })).id;
  token = (await aToken({ appId, environmentId, scopes: ["dev-variable:write"] })).headers;
  person = { ...admin.headers, origin: server.url };
});
afterAll(() => server.close());

async function post(path: string, headers: Record<string, string>, body: object): Promise<number> {
  const response = await fetch(`${server.url}/api/${path}`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  return response.status;
}

/** The most processor time that the main thread used before a health check was answered, while requests were under way. */
async function costliestHealthCheck(work: Promise<unknown>): Promise<number> {
  let over = false;
  const done = work.finally(() => {
    over = true;
  });
  let costliest = 0;
  do {
    const start = processorTimeMs();
    const response = await fetch(`${server.url}/api/health/live`);
    await response.arrayBuffer();
    expect(response.status).toBe(200);
    costliest = Math.max(costliest, processorTimeMs() - start);
  } while (!over);
  await done;
  return costliest;
}

const imports = Object.entries(HOSTILE_IMPORTS).flatMap(([format, texts]) =>
  Object.entries(texts).map(([name, make]) => ({ format, name, make })),
);

it.each(imports)("a health check is answered beside imports of 1 MB of $name as $format", async ({ format, make }) => {
  const input = { environmentId, kind: "dev-variable", format, text: make(MAX_IMPORT), mode: "merge", dryRun: true };
  const calls = Array.from({ length: AT_ONCE }, () => post("apps/import-variables", token, input));
  expect(await costliestHealthCheck(Promise.all(calls))).toBeLessThan(MAX_PROCESSOR_MS);
  for (const status of await Promise.all(calls)) expect([200, 422]).toContain(status);
});

it.each(Object.entries(HOSTILE_MARKDOWN))("a health check is answered beside notes of %s", async (_name, make) => {
  const input = { description: make(MAX_DESCRIPTION).trim() || "a" };
  const calls = Array.from({ length: AT_ONCE }, () => post("apps/render-release-notes", person, input));
  expect(await costliestHealthCheck(Promise.all(calls))).toBeLessThan(MAX_PROCESSOR_MS);
  expect(await Promise.all(calls)).toEqual(Array(AT_ONCE).fill(200));
});

const lists = Object.entries(HOSTILE_LISTS).map(([name, make]) => ({ name, make }));

it.each(lists)(
  "a health check is answered beside a list of testers, and one of devices, of 2 MB of $name",
  async ({ make }) => {
    const text = make(MAX_IMPORT_LENGTH);
    const imports = async () => [
      await post("testers/import-tester-group-members", person, { groupId, csv: text, dryRun: true }),
      await post("devices/import-devices", person, { text, dryRun: true }),
    ];
    const calls = imports();
    expect(await costliestHealthCheck(calls)).toBeLessThan(MAX_PROCESSOR_MS);
    for (const status of await calls) expect([200, 422]).toContain(status);
  },
);
