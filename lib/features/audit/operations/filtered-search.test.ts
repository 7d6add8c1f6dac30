import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { aUser, send, type TestUser } from "@/lib/testing/console";
import { randomFrom } from "@/lib/testing/random";
import { setUpTestDatabase } from "@/scripts/test-database";
import { MAX_SCANNED, MAX_SUBJECTS } from "../internal/search";
import { getAuditLogs } from "./get-audit-logs";

setUpTestDatabase();

/** A record as the naive search reads it. */
interface Written {
  id: number;
  userId: string | null;
  tokenId: string | null;
  table: string;
  recordId: string | null;
  action: string;
  /** Milliseconds. */
  at: number;
  /** The names of who acted, of the object and of the place. */
  named: { id: string; name: string }[];
}

const DAY = Date.UTC(2026, 0, 10);
const TABLES = ["Release", "Environment", "App", "User", "DevVariable"];
const ACTIONS = ["create", "update", "delete"];
/** The word of a name that some records of each kind have, and the one that many have. */
const [SOME, MANY] = ["Quartz", "Atlas"];

const random = randomFrom(7);
const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
const people = (count: number, name: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => ({ id: newId(), name: name(n) }));

const users = people(4, (n) => (n === 0 ? `${SOME} Miner` : `Person ${n}`));
const objects = people(40, (n) => `${n % 5 === 0 ? SOME : MANY} ${n}`);
const apps = people(3, (n) => (n === 0 ? `${SOME} Field` : `App ${n}`));
const environments = people(6, (n) => (n % 2 === 0 ? "Staging" : "QA"));
const tokens = people(2, (n) => (n === 0 ? "Quartz CI" : "Robot"));

let admin: TestUser;
/** Newest first. */
const written: Written[] = [];
/** Every name that an object, a person or a place has had. */
const namesOf = new Map<string, Set<string>>();

function aRecord(n: number): Omit<Written, "id"> {
  const byToken = random(6) === 0;
  const actor = byToken ? pick(tokens) : pick(users);
  const object = random(8) === 0 ? null : pick(objects);
  const place = random(4) === 0 ? [] : [pick(apps), pick(environments)];
  return {
    userId: byToken ? null : actor.id,
    tokenId: byToken ? actor.id : null,
    // A rare table, early in the log.
    table: n % 80 === 3 && n < 300 ? "Webhook" : pick(TABLES),
    recordId: object?.id ?? null,
    action: pick(ACTIONS),
    at: DAY + Math.floor(n / 3) * 60_000 - random(3) * 120_000,
    named: [actor, ...(object ? [object] : []), ...place],
  };
}

/** The names as a record contains them. */
function contentOf({ named }: Omit<Written, "id">) {
  const nameOf = (of: readonly { id: string }[]) => named.find(({ id }) => of.some((one) => one.id === id));
  const [app, environment] = [nameOf(apps), nameOf(environments)];
  return {
    actor: nameOf([...users, ...tokens])?.name,
    record: nameOf(objects)?.name,
    app: app?.name,
    appId: app?.id,
    environment: environment?.name,
    environmentId: environment?.id,
  };
}

/** Adds records to the log and to `written`. */
async function write(records: readonly Omit<Written, "id">[]): Promise<void> {
  const rows = records.map((record) => ({
    ...record,
    at: new Date(record.at),
    changes: { "@names": [null, contentOf(record)] },
  }));
  const inserted = await db.$queryRaw<{ id: bigint }[]>`
    INSERT INTO "AuditRecord" ("id", "userId", "tokenId", "table", "recordId", "action", "eventDate", "changes", "ip", "requestId",
      "previousHash", "hash")
    SELECT 0, "userId", "tokenId", "table", "recordId", "action", "at", "changes", NULL, 'r', '', ''
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row ("userId" uuid, "tokenId" uuid, "table" text, "recordId" text,
      "action" text, "at" timestamptz, "changes" jsonb)
    RETURNING "id"`;
  const ids = inserted.map(({ id }) => Number(id)).sort((a, b) => a - b);
  for (const [n, record] of records.entries()) {
    written.push({ ...record, id: ids[n] as number });
    for (const { id, name } of record.named) namesOf.set(id, new Set([...(namesOf.get(id) ?? []), name]));
  }
  written.sort((a, b) => b.at - a.at || b.id - a.id);
}

beforeAll(async () => {
  admin = await aUser({ admin: true });
  await write(Array.from({ length: 400 }, (_, n) => aRecord(n)));
});

/** Whether a search finds a record, read from its names alone. */
function isFound({ table, named }: Written, search: string): boolean {
  const words = search.toLowerCase().split(" ");
  const names = named.flatMap(({ id }) => [...(namesOf.get(id) as Set<string>)]);
  return (
    table.toLowerCase().includes(search.toLowerCase()) ||
    names.some((name) => words.every((word) => name.toLowerCase().includes(word)))
  );
}

type Input = Record<string, string>;

function expected({ search = "", table, action, userId, recordId, from }: Input): number[] {
  return written
    .filter(
      (record) =>
        isFound(record, search) &&
        (table === undefined || record.table === table) &&
        (action === undefined || record.action === action) &&
        (userId === undefined || record.userId === userId) &&
        (recordId === undefined || record.recordId === recordId) &&
        (from === undefined || record.at >= Date.parse(from)),
    )
    .map(({ id }) => id);
}

/** The IDs of all pages, and the total of the first. */
async function pages(input: Input & { limit: string }): Promise<{ ids: number[]; total: number; isAtLeast: boolean }> {
  const ids: number[] = [];
  const totals: { total: number; totalIsAtLeast?: true }[] = [];
  let cursor: string | null = null;
  do {
    const { status, body } = await send(getAuditLogs, admin, { ...input, ...(cursor && { cursor }) });
    expect(status, JSON.stringify(body)).toBe(200);
    ids.push(...body.items.map(({ id }: { id: number }) => id));
    totals.push(body);
    cursor = body.nextCursor;
  } while (cursor);
  const [{ total, totalIsAtLeast }] = totals as [(typeof totals)[number]];
  return { ids, total, isAtLeast: totalIsAtLeast === true };
}

/** A filter by table, by action, both, one that leaves nothing, and with each of the others. */
const FILTERS: Input[] = [
  { table: "Release" },
  { table: "Webhook" },
  { action: "delete" },
  { table: "User", action: "update" },
  { table: "Nothing" },
  { table: "Release", userId: users[0]?.id as string },
  { action: "create", recordId: objects[5]?.id as string },
  { table: "Release", from: new Date(DAY + 60 * 60_000).toISOString() },
  {},
];

/** Compares searches with the naive one. @param isCounted whether the totals are exact up to their cap */
async function expectAsTheNaiveSearch(searches: readonly string[], isCounted: boolean): Promise<void> {
  let found = 0;
  for (const search of searches) {
    for (const [n, filter] of FILTERS.entries()) {
      const input: Input = { search, ...filter };
      const wanted = expected(input);
      found += wanted.length;
      const oldestFirst = (n + search.length) % 2 === 0;
      const { ids, total, isAtLeast } = await pages({
        ...input,
        limit: "40",
        ...(oldestFirst && { sort: "eventDate" }),
      });
      expect(ids, JSON.stringify(input)).toEqual(oldestFirst ? wanted.toReversed() : wanted);
      if (isCounted) expect(total, JSON.stringify(input)).toBe(isAtLeast ? 100 : wanted.length);
      else expect([isAtLeast, total <= wanted.length], JSON.stringify(input)).toEqual([true, true]);
    }
  }
  expect(found).toBeGreaterThan(100 * searches.length);
}

describe("a search with filters", () => {
  it("finds the records of a naive search, in their order, once over all pages", async () => {
    await expectAsTheNaiveSearch([SOME, "quartz field", "staging", "robot", "relea"], true);
  });

  it("finds the same if more names have the word than are looked up, in the first records and beyond them", async () => {
    await db.$executeRaw`
      INSERT INTO "AuditName" ("subjectId", "name", "recordId")
      SELECT gen_random_uuid(), word || ' crowd ' || n, 0
      FROM generate_series(1, ${MAX_SUBJECTS}) AS n, unnest(ARRAY[${SOME}, 'staging']) AS word`;
    await expectAsTheNaiveSearch([SOME, "staging"], false);
    const others = { userId: null, tokenId: null, recordId: null, named: [] };
    await write(
      Array.from({ length: MAX_SCANNED + 10 }, (_, n) => ({
        ...others,
        table: "File",
        action: "create",
        at: DAY * 2 + n,
      })),
    );
    await expectAsTheNaiveSearch([SOME, "staging"], false);
  });
});
