import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { isAudited, type Operation } from "@/lib/api/operation";
import { flushReveals } from "@/lib/audit/reveals";
import { databasePool, db } from "@/lib/db/client";
import { SerialQueryClient } from "@/lib/db/serial-client";
import { aServer } from "@/lib/testing/client";
import { ANONYMOUS, type Caller } from "@/lib/testing/console";
import { makeWorld, type World } from "@/lib/testing/world";
import { stopVisits } from "@/lib/visits/record";
import { setUpTestDatabase } from "@/scripts/test-database";
import { operations } from "./operations";
import { sampleOf } from "./testing/samples";

/** What one call may cost the database at most, with its caller, limits, transaction and audit record. */
const READ = { statements: 6, writes: 2 };
/** A read whose record is written before its answer, with the transaction of the record. */
const AUDITED_READ = { statements: 11, writes: 3 };
/** One that begins a window of reveals, by a token that was not used before. */
const WINDOW_READ = { statements: 11, writes: 5 };
/** One with two statements that have a time limit of their own, each in a transaction. */
const LIMITED_READ = { statements: 9, writes: 2 };
const CHANGE = { statements: 30, writes: 16 };
/** A publication also looks up the rules of the environment, keeps the facts of the installer and requests its checks. */
const PUBLICATION = { statements: 34, writes: 16 };
/** How many connections one call may have at the same time. */
const MAX_CONNECTIONS = 3;
/** The time limit of a new connection, and the counts of reveals, which a timer writes. */
const OF_NO_CALL = /^SET statement_timeout|"startedAt",\s+"reads"/;
/** A statement that writes, or one with a part that does. */
const WRITE = /(^|\()\s*(INSERT|UPDATE|DELETE)\b/i;

const all = Object.entries(operations) as [string, Operation][];
const cheapRight = all.filter(([, { access }]) => access !== "admin");
setUpTestDatabase();

let world: World;
const cost = { statements: 0, writes: 0, connections: 0 };
let connectionsInUse = 0;

function textOf(query: unknown): string {
  return typeof query === "string" ? query : String((query as { text?: string } | null)?.text);
}

/** Writes what earlier calls left in memory, so that it is no part of what the next call costs. */
async function writeAll(): Promise<void> {
  // Not `flushVisits`, whose timer would go on.
  await stopVisits();
  await flushReveals();
}

beforeAll(() => {
  const query = pg.Client.prototype.query;
  vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    // The job queue has connections of its own.
    if (this instanceof SerialQueryClient && !OF_NO_CALL.test(textOf(args[0]))) {
      cost.statements += 1;
      if (WRITE.test(textOf(args[0]))) cost.writes += 1;
    }
    return Reflect.apply(query, this, args);
  });
  databasePool()
    .on("acquire", () => {
      connectionsInUse += 1;
      cost.connections = Math.max(cost.connections, connectionsInUse);
    })
    .on("release", () => {
      connectionsInUse -= 1;
    });
});

beforeEach(async () => {
  world = await makeWorld();
});

afterAll(() => {
  vi.restoreAllMocks();
});

function mostOf(key: string, operation: Operation) {
  if (key === "apps/search-console") return LIMITED_READ;
  if (key === "apps/create-testing-deploy") return PUBLICATION;
  if (operation.kind === "command") return CHANGE;
  if (!isAudited(operation)) return READ;
  return operation.audit.stepwise ? WINDOW_READ : AUDITED_READ;
}

it("each change that anyone may ask for counts the calls of an address", () => {
  const uncounted = all
    .filter(
      ([, { access, kind, rateLimit }]) => access === "public" && kind === "command" && rateLimit?.by !== "address",
    )
    .map(([key]) => key);
  expect(uncounted).toEqual([]);
});

it.each(cheapRight)(
  "%s costs the database a bounded number of statements, writes and connections",
  async (key, operation) => {
    const sendSample = await sampleOf(operation).arrange(world);
    await writeAll();
    Object.assign(cost, { statements: 0, writes: 0, connections: 0 });
    const answer = await sendSample();
    const { statements, writes, connections } = cost;
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(400);
    const most = mostOf(key, operation);
    expect(statements).toBeLessThanOrEqual(most.statements);
    expect(writes).toBeLessThanOrEqual(most.writes);
    expect(connections).toBeLessThanOrEqual(MAX_CONNECTIONS);
  },
);

/** Waits until the rendered notes of releases are kept, which is done after the first answer that has them. */
async function notesKept(): Promise<void> {
  const { environmentId } = world;
  await expect.poll(() => db.release.count({ where: { environmentId, notesVersion: null } })).toBe(0);
}

/** Calls that are made often or while somebody waits, with what they cost exactly. */
const OFTEN: [
  keyof typeof operations,
  as: (world: World) => Promise<Caller>,
  { statements: number; writes: number },
][] = [
  // Whether the network is familiar, the limit, the nonce, the user, two of counters; BEGIN, the sign-in with the user, the session,
  // the device, the record, COMMIT.
  ["auth/email-login", async () => ANONYMOUS, { statements: 12, writes: 8 }],
  // The caller with the state of the environment, and the entries. The reveal is counted in memory.
  ["client/get-secure-variables", aServer, { statements: 2, writes: 0 }],
  // The same, and the page with its total.
  ["apps/get-testing-deploys", aServer, { statements: 2, writes: 0 }],
  // The caller, the environment, and the page.
  ["apps/get-testing-deploys", async ({ admin }) => admin, { statements: 3, writes: 0 }],
];

it.each(OFTEN)("%s costs no more statements than it needs", async (key, as, exactly) => {
  const sample = sampleOf(operations[key] as Operation);
  const caller = await as(world);
  // A token's first call writes when it was used.
  await (await sample.arrange(world, caller))();
  const sendSample = await sample.arrange(world, caller);
  if (key === "client/get-secure-variables") await sendSample();
  await writeAll();
  if (key === "apps/get-testing-deploys") await notesKept();
  Object.assign(cost, { statements: 0, writes: 0 });
  const { status, body } = await sendSample();
  expect(status, JSON.stringify(body)).toBe(200);
  expect(cost).toMatchObject(exactly);
});
