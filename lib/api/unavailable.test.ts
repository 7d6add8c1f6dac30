import { afterAll, beforeAll, expect, it } from "vitest";
import { MAX_CALLS_AT_ONCE } from "@/lib/auth/turns";
import { getAppConfig } from "@/lib/features/config/operations/get-app-config";
import { createUpload } from "@/lib/features/uploads/operations/create-upload";
import { ANONYMOUS, anApp, aUser, send, type TestUser } from "@/lib/testing/console";
import { anIpa, publish } from "@/lib/testing/releases";
import { startTcpProxy, type TcpProxy } from "@/lib/testing/tcp-proxy";
import { within } from "@/lib/testing/within";
import { createTestDatabase, type TestDatabase } from "@/scripts/test-database";

let database: TestDatabase;
let network: TcpProxy;
let admin: TestUser;
let place: Awaited<ReturnType<typeof anApp>>;

beforeAll(async () => {
  database = await createTestDatabase();
  const { hostname: host, port } = new URL(database.url);
  network = await startTcpProxy({ host, port: Number(port) });
  process.env.DATABASE_URL = Object.assign(new URL(database.url), { port: String(network.port) }).href;
  admin = await aUser({ admin: true });
  place = await anApp();
});

afterAll(async () => {
  await network.close();
  await database.drop();
});

/**
 * Everything that is asked while the database is away: a query, more often than one caller's are answered at the same time, a command,
 * an upload that is stored first.
 */
const askAll = () => [
  ...Array.from({ length: 3 * MAX_CALLS_AT_ONCE }, () => send(getAppConfig, ANONYMOUS)),
  send(createUpload, admin, { name: "a.ipa", size: 10 }),
  publish(admin, anIpa(place.identifier), "a.ipa", { environmentId: place.environmentIds[0] as string }),
];

it.each([
  ["takes no connections", () => network.refuse()],
  ["has fallen silent", async () => network.fallSilent()],
])(
  "while the database %s, everything is answered 503 within 5 seconds, and works again once it is back",
  async (_how, breakIt) => {
    expect((await send(getAppConfig, ANONYMOUS)).status).toBe(200);
    await breakIt();
    // Once over connections that were open, once over new ones.
    for (let round = 0; round < 2; round++) {
      const answers = await Promise.all(askAll().map((answer) => within(5_000, answer)));
      for (const { status, body, headers } of answers) {
        expect([status, body.code, headers.get("retry-after")]).toEqual([503, "unavailable", "2"]);
      }
    }
    await network.recover();
    const statuses = (await Promise.all(askAll())).map(({ status }) => status);
    expect(statuses.slice(-3)).toEqual([200, 200, 201]);
  },
);
