import { beforeAll, describe, expect, it } from "vitest";
import { writeAudit } from "@/lib/audit/write";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { aUser, send, sendRaw, type TestUser } from "@/lib/testing/console";
import { LONG_TRANSACTION } from "@/lib/testing/locks";
import { setUpTestDatabase } from "@/scripts/test-database";
import { auditCsv } from "../data";
import { getAuditLogsInput } from "../schema";
import { getAuditLogs } from "./get-audit-logs";

setUpTestDatabase();

let admin: TestUser;
let grace: TestUser;
/** The written records, newest first. */
let written: Written[];

interface Written {
  id: number;
  userId: string | null;
  table: string;
  recordId: string | null;
  action: string;
  eventDate: string;
}

const DAY = Date.UTC(2026, 0, 10);
const TABLES = ["App", "AppConfig", "Release", "User"];
const ACTIONS = ["create", "update", "delete"];

async function write(record: {
  by: TestUser | null;
  table: string;
  action: string;
  recordId: string | null;
  at: Date;
  changes?: Record<string, [unknown, unknown]>;
}): Promise<void> {
  const { by, table, action, recordId, at, changes = {} } = record;
  await db.$transaction((tx) =>
    writeAudit(tx, {
      actor: { kind: "anonymous", expired: false },
      request: { requestId: "r", now: at, ip: null } as never,
      table,
      recordId,
      action,
      changes,
      userId: by?.userId,
    }),
  );
}

beforeAll(async () => {
  admin = await aUser({ admin: true });
  grace = await aUser();
  // Two of each hour. Some records have an earlier time than the one before, as if two instances wrote.
  for (let n = 0; n < 60; n++) {
    await write({
      by: n % 5 === 4 ? null : n % 2 === 0 ? admin : grace,
      table: TABLES[n % 4] as string,
      action: ACTIONS[n % 3] as string,
      recordId: n % 7 === 6 ? null : `record-${n % 6}`,
      at: new Date(DAY + Math.floor(n / 2) * 3_600_000 - (n % 11 === 0 ? 7_200_000 : 0)),
    });
  }
  const rows = await db.auditRecord.findMany({ orderBy: [{ eventDate: "desc" }, { id: "desc" }] });
  written = rows.map((row) => ({ ...row, id: Number(row.id), eventDate: row.eventDate.toISOString() }));
});

async function list(input: Record<string, unknown> = {}) {
  const { status, body } = await send(getAuditLogs, admin, input);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

/** The IDs of all pages. */
async function pages(input: Record<string, unknown>): Promise<number[]> {
  const ids: number[] = [];
  let cursor: string | undefined;
  do {
    const page = await list({ ...input, limit: 7, ...(cursor && { cursor }) });
    ids.push(...page.items.map(({ id }: Written) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return ids;
}

const idsOf = (records: readonly Written[]) => records.map(({ id }) => id);

describe("the audit log", () => {
  it("shows who changed which object how, and when", async () => {
    const by = await aUser();
    await db.user.update({ where: { id: by.userId }, data: { firstNames: "Ada", lastNames: "Lovelace" } });
    const changes = { name: ["Notes", 'Größe; "1"'], password: ["old", "new"] } as Record<string, [unknown, unknown]>;
    await write({ by, table: "Environment", action: "update", recordId: "e-1", at: new Date(DAY), changes });
    const { items, total } = await list({ table: "Environment" });
    expect(total).toBe(1);
    expect(items).toEqual([
      {
        id: 61,
        userId: by.userId,
        userName: "Ada Lovelace",
        userEmail: by.email,
        tokenId: null,
        tokenName: null,
        table: "Environment",
        recordId: "e-1",
        action: "update",
        eventDate: "2026-01-10T00:00:00.000Z",
        changes: { name: ["Notes", 'Größe; "1"'], password: ["•••", "•••"] },
        sentence: 'Ada Lovelace changed the environment Größe; "1"',
        actorName: "Ada Lovelace",
        recordName: 'Größe; "1"',
        place: null,
      },
    ]);
  });

  const ofUser = (user: () => TestUser) => ({ userId: () => user().userId });
  it.each<[string, Record<string, string | (() => string)>, (record: Written) => boolean]>([
    ["all", { search: "" }, ({ table }) => table !== "Environment"],
    ["those of a table", { table: "App" }, ({ table }) => table === "App"],
    ["those of an action", { action: "delete" }, ({ action }) => action === "delete"],
    ["those of a user", ofUser(() => grace), ({ userId }) => userId === grace.userId],
    ["those of a thing", { recordId: "record-3" }, ({ recordId }) => recordId === "record-3"],
    ["those of an hour on", { from: "2026-01-11T02:00:00Z" }, ({ eventDate }) => eventDate >= "2026-01-11T02"],
    ["those of a day", { from: "2026-01-10", to: "2026-01-10" }, ({ eventDate }) => eventDate.startsWith("2026-01-10")],
    ["those of the tables that a search finds", { search: "app" }, ({ table }) => table.startsWith("App")],
    [
      "those of a user's action",
      { ...ofUser(() => admin), action: "update" },
      (record) => record.userId === admin.userId && record.action === "update",
    ],
    [
      "those of everything at once",
      { ...ofUser(() => admin), table: "App", action: "create", recordId: "record-0", from: "2026-01-10" },
      (record) =>
        record.userId === admin.userId &&
        record.table === "App" &&
        record.action === "create" &&
        record.recordId === "record-0" &&
        record.eventDate >= "2026-01-10",
    ],
    ["none of a table that there is not", { table: "Nothing" }, () => false],
    ["none of a user who there is not", { userId: newId() }, () => false],
    ["none of the nil UUID", { userId: "00000000-0000-0000-0000-000000000000" }, () => false],
  ])("lists %s, newest first, each once over all pages, with their number", async (_what, filter, fits) => {
    const input = Object.fromEntries(
      Object.entries(filter).map(([name, value]) => [name, typeof value === "string" ? value : value()]),
    );
    const expected = written.filter(fits);
    const found = (await pages(input)).filter((id) => id <= 60);
    expect(found).toEqual(idsOf(expected));
    expect(await pages({ ...input, sort: "eventDate" })).toEqual((await pages(input)).toReversed());
    const { total, totalIsAtLeast } = await list(input);
    expect([total, totalIsAtLeast]).toEqual([(await pages(input)).length, undefined]);
  });

  it("refuses a cursor of another list and an invented one", async () => {
    const forged = (id: unknown) =>
      btoa(encodeURIComponent(JSON.stringify(["-eventDate", "2026-01-10T00:00:00.000Z", id])));
    for (const cursor of ["nonsense", forged(newId()), forged(7), forged("9999999999999999999"), forged("1;")]) {
      const { status, body } = await send(getAuditLogs, admin, { cursor });
      expect([status, body.errors?.[0]?.path]).toEqual([422, "cursor"]);
    }
  });

  it("counts exactly by table, action and user, and up to a thousand by time and object", async () => {
    await db.$executeRaw`
      INSERT INTO "AuditRecord" SELECT 0, NULL, NULL, 'Upload', 'u', 'create', ${new Date(DAY)}::timestamptz - n * interval '1 s', '{}', NULL,
        'r', '', '' FROM generate_series(1, 1500) AS n`;
    const totals = async (input: object) => {
      const { total, totalIsAtLeast } = await list({ limit: 1, ...input });
      return [total, totalIsAtLeast];
    };
    expect(await totals({})).toEqual([1561, undefined]);
    expect(await totals({ search: "uploa" })).toEqual([1500, undefined]);
    expect(await totals({ recordId: "u" })).toEqual([1000, true]);
    expect(await totals({ table: "Upload", to: "2026-01-09T23:59:30Z" })).toEqual([1000, true]);
    expect(await totals({ table: "Upload", from: "2026-01-09T23:59:30Z" })).toEqual([30, undefined]);
  });
});

/** The cells of a CSV text (RFC 4180). @throws Error if it is malformed */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cell = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/gy;
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const match = cell.exec(text);
    if (!match) throw new Error(`no cell at ${at}: ${text.slice(at, at + 50)}`);
    const [, raw = "", end] = match;
    row.push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw);
    if (end === ",") continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

describe("the audit log as CSV", () => {
  const csv = (input: Record<string, unknown>) => sendRaw(getAuditLogs, admin, { format: "csv", ...input });

  it("contains all matching records in the order of the list, and its file name contains the date", async () => {
    const answer = await csv({ limit: 1 });
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
    expect(answer.headers.get("content-disposition")).toMatch(
      /^attachment; filename="audit-log-\d{4}-\d\d-\d\d\.csv"$/,
    );
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const [head, ...rows] = readCsv(await answer.text());
    expect(head).toEqual(["id", "userId", "userEmail", "table", "recordId", "action", "eventDate", "changes"]);
    expect(rows.map(([id]) => Number(id))).toEqual(await pages({}));
    const listed = (await list({ limit: 100, table: "App" })).items;
    const exported = readCsv(await (await csv({ table: "App" })).text()).slice(1);
    expect(exported).toEqual(
      listed.map((item: Record<string, unknown>) =>
        (head as string[]).map((name) => (name === "changes" ? JSON.stringify(item[name]) : String(item[name] ?? ""))),
      ),
    );
  });

  it("contains more records than it reads at once", async () => {
    await db.$executeRaw`
      INSERT INTO "AuditRecord" SELECT 0, NULL, NULL, 'Many', n::text, 'create', ${new Date(DAY)}::timestamptz + (n / 3) * interval '1 ms', '{}', NULL,
        'r', '', '' FROM generate_series(1, 10001) AS n`;
    const rows = readCsv(await (await csv({ table: "Many", sort: "eventDate" })).text()).slice(1);
    expect(rows.map((row) => Number(row[4]))).toEqual(Array.from({ length: 10_001 }, (_, index) => index + 1));
  });

  it("has no cell that is read as a formula, and keeps the content", async () => {
    const by = await aUser();
    await db.user.update({ where: { id: by.userId }, data: { email: "=cmd|'/c calc'!a0@example.test" } });
    const changes = { name: [null, '=HYPERLINK("https://evil.example";"x")\r\n"'], size: [-1, 2] } as const;
    await write({
      by,
      table: "Formula",
      action: "-update",
      recordId: "@SUM(1)",
      at: new Date(DAY),
      changes: changes as never,
    });
    const text = await (await csv({ table: "Formula" })).text();
    const cells = readCsv(text)[1] as string[];
    expect(cells.slice(2, 6)).toEqual(["'=cmd|'/c calc'!a0@example.test", "Formula", "'@SUM(1)", "'-update"]);
    expect(JSON.parse(cells[7] as string)).toEqual(changes);
    expect(cells[7]).not.toContain(";");
  });

  it("is only a header if nothing matches", async () => {
    expect(await (await csv({ table: "Nothing" })).text()).toBe(
      "id,userId,userEmail,table,recordId,action,eventDate,changes\r\n",
    );
    expect(await (await sendRaw(getAuditLogs, admin, { format: "csv" }, { method: "HEAD" })).text()).toBe("");
  });

  it("stops reading when the client disconnects", async () => {
    let queries = 0;
    const counting = new Proxy(db, {
      get: (target, name) => {
        if (name === "$queryRaw") queries += 1;
        return Reflect.get(target, name);
      },
    });
    const lines = auditCsv(counting, getAuditLogsInput.parse({ table: "Many" }));
    await lines.next();
    await lines.next();
    await lines.return(undefined);
    expect((await lines.next()).done).toBe(true);
    expect(queries).toBe(1);
  });
});

it("the maintained counts are right while many transactions write and some roll back", async () => {
  const writers = Array.from({ length: 40 }, (_, n) =>
    db
      .$transaction(async (tx) => {
        await writeAudit(tx, {
          actor: { kind: "anonymous", expired: false },
          request: { requestId: "r", now: new Date(DAY), ip: null } as never,
          table: "Parallel",
          recordId: null,
          action: ACTIONS[n % 3] as string,
          changes: {},
          userId: n % 2 === 0 ? admin.userId : undefined,
        });
        if (n % 4 === 3) throw new Error("taken back");
      }, LONG_TRANSACTION)
      .catch((error: Error) => expect(error.message).toBe("taken back")),
  );
  await Promise.all(writers);
  expect((await list({ table: "Parallel" })).total).toBe(30);
  expect((await list({ table: "Parallel", userId: admin.userId })).total).toBe(20);
  const wrong = await db.$queryRaw`
    SELECT * FROM "AuditCount" kept WHERE "count" <> (SELECT count(*) FROM "AuditRecord" r WHERE r."table" = kept."table"
      AND r."action" = kept."action" AND (r."userId" = kept."userId" OR kept."userId" = '00000000-0000-0000-0000-000000000000'))`;
  expect(wrong).toEqual([]);
});
