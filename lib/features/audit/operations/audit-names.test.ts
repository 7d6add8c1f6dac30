import { beforeAll, describe, expect, it } from "vitest";
import { SEARCH_COUNT_CAP } from "@/lib/api/list";
import { verifyAudit } from "@/lib/audit/verify";
import { writeAudit } from "@/lib/audit/write";
import { databasePool, db } from "@/lib/db/client";
import { updateApp } from "@/lib/features/apps/operations/update-app";
import { updateEnvironmentApp } from "@/lib/features/environments/operations/update-environment-app";
import { deleteTestingDeploy } from "@/lib/features/releases/operations/delete-testing-deploy";
import { inviteUsers } from "@/lib/features/users/operations/invite-users";
import { createDevelopmentVariable } from "@/lib/features/variables/operations/create-development-variable";
import { newId } from "@/lib/kernel/ids";
import { anApp, aToken, aUser, type Caller, send, sendRaw, type TestUser } from "@/lib/testing/console";
import { statementsOf } from "@/lib/testing/plans";
import { aRelease } from "@/lib/testing/releases";
import { setUpTestDatabase } from "@/scripts/test-database";
import { MAX_SUBJECTS } from "../internal/search";
import { getAuditLog } from "./get-audit-log";
import { getAuditLogs } from "./get-audit-logs";

setUpTestDatabase();

let admin: TestUser;
let app: Awaited<ReturnType<typeof anApp>>;
let environmentId: string;
/** The record of a deleted release. */
let deletion: number;

const list = async (input: Record<string, unknown> = {}, headers: Record<string, string> = {}) => {
  const { status, body } = await send(getAuditLogs, admin, { limit: 100, ...input }, { headers });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};
const newest = async () => (await list({ limit: 1 })).items[0];
const idsOf = async (input: Record<string, unknown>) =>
  (await list(input)).items.map(({ id }: { id: number }) => id) as number[];

/** The IDs of all pages. */
async function pages(input: Record<string, unknown>): Promise<number[]> {
  const ids: number[] = [];
  let cursor: string | undefined;
  do {
    const page = await list({ limit: 7, ...input, ...(cursor && { cursor }) });
    ids.push(...page.items.map(({ id }: { id: number }) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return ids;
}

async function write(record: Partial<Parameters<typeof writeAudit>[1]>): Promise<number> {
  await db.$transaction((tx) =>
    writeAudit(tx, {
      actor: { kind: "anonymous", expired: false },
      request: { requestId: "r", now: new Date(), ip: "192.0.2.7" },
      table: "App",
      action: "update",
      recordId: null,
      changes: {},
      ...record,
    }),
  );
  const { id } = await db.auditRecord.findFirstOrThrow({ orderBy: { id: "desc" } });
  return Number(id);
}

beforeAll(async () => {
  admin = await aUser({ admin: true });
  await db.user.update({ where: { id: admin.userId }, data: { firstNames: "Zoë", lastNames: "Müller" } });
  app = await anApp({ name: "Atlas Field Service", environments: [{ name: "Staging" }] });
  environmentId = app.environmentIds[0] as string;
  const release = await aRelease(admin, { identifier: app.identifier, environmentId });
  expect((await send(deleteTestingDeploy, admin, { id: release.id })).status).toBe(204);
  deletion = (await newest()).id;
});

describe("the names in audit records", () => {
  it("say who deleted which release where, and stay as they were", async () => {
    const { recordName } = await newest();
    expect(recordName).toMatch(/^(iOS|Android) \S+ \(\S+\)$/);
    const expected = {
      id: deletion,
      sentence: `Zoë Müller deleted the release ${recordName}`,
      actorName: "Zoë Müller",
      recordName,
      place: { app: "Atlas Field Service", environment: "Staging" },
    };
    expect(await newest()).toMatchObject(expected);
    await send(updateApp, admin, { id: app.appId, name: "Borealis" });
    expect((await newest()).recordName).toBe("Borealis");
    await send(updateEnvironmentApp, admin, { id: environmentId, name: "Acceptance" });
    await db.user.update({ where: { id: admin.userId }, data: { firstNames: "Chloé", lastNames: "Dupont" } });
    const { body } = await send(getAuditLog, admin, { id: deletion });
    expect(body).toMatchObject({ ...expected, userName: "Chloé Dupont" });
    expect(Object.keys(body.changes)).not.toContain("@names");
  });

  it("are found by a search, the earlier ones and the present ones, without case and accents, in any order", async () => {
    for (const search of ["zoe", "müller ZOË", "atlas", "field atlas", "borealis", "staging", "acceptance"]) {
      expect([search, await idsOf({ search })]).toEqual([search, expect.arrayContaining([deletion])]);
    }
    const { recordName } = (await send(getAuditLog, admin, { id: deletion })).body;
    expect(await idsOf({ search: recordName, action: "delete" })).toEqual([deletion]);
    expect(await idsOf({ search: "atlas", table: "Release", action: "delete" })).toEqual([deletion]);
    expect(await idsOf({ search: "atlas", userId: newId() })).toEqual([]);
    expect(await idsOf({ search: "atlas", from: "9999-01-01" })).toEqual([]);
    expect(await idsOf({ search: "atlas nowhere" })).toEqual([]);
  });

  it("are searched literally, also with characters that patterns give a meaning", async () => {
    const key = `A_B${newId().slice(-6)}`;
    const input = { environmentId, name: "100 % \\ sure", key, value: "x", status: "active" };
    expect((await send(createDevelopmentVariable, admin, input)).status).toBe(201);
    const { id, recordName } = await newest();
    expect(recordName).toBe(key);
    expect(await idsOf({ search: key })).toEqual([id]);
    for (const search of ["A%B", "AxB", "%", "_", "\\", "a_b\\"]) {
      const names = (await list({ search })).items.map((item: { recordName: string }) => item.recordName);
      expect([search, names]).toEqual([search, search === "_" ? expect.arrayContaining([key]) : []]);
    }
  });

  it("of people who are invited are their names or e-mails, the first of many", async () => {
    const roleId = (await db.role.findFirstOrThrow()).id;
    const emails = ["ana", "ben", "cleo", "dora"].map((name) => `${name}.${newId().slice(-6)}@example.test`);
    await send(inviteUsers, admin, { emails, provider: "email", roleId });
    expect(await newest()).toMatchObject({ recordName: `${emails.slice(0, 3).join(", ")} (+1)` });
    const [one] = emails;
    const email = `one.${one}`;
    await send(inviteUsers, admin, { emails: [email], provider: "email", roleId });
    const { id, recordName } = await newest();
    expect(recordName).toContain(`(${email})`);
    expect(await idsOf({ search: email })).toEqual([id]);
  });

  it("of 100 characters from right to left do not rearrange the sentence, and are found", async () => {
    const name = `${"مشروع ".repeat(16)}שלום`.slice(0, 100);
    const hebrew = await anApp({ name, environments: [{ name: "בדיקות" }] });
    const id = await write({ recordId: hebrew.appId, userId: admin.userId });
    const { sentence, place } = await newest();
    expect(place).toEqual({ app: name, environment: null });
    expect(sentence).toBe(`Chloé Dupont changed the application \u2068${name}\u2069`);
    expect(await idsOf({ search: name.slice(6, 60) })).toEqual([id]);
  });

  it("are in the language of the caller's sentence", async () => {
    await send(updateEnvironmentApp, admin, { id: environmentId, status: "inactive" });
    const sentence = async (language: string) =>
      (await list({ limit: 1 }, { "accept-language": language })).items[0].sentence;
    expect(await Promise.all(["es", "de", "fr", "it", "pt"].map(sentence))).toEqual([
      "Chloé Dupont modificó el entorno Acceptance",
      "Chloé Dupont hat die Umgebung Acceptance geändert",
      "Chloé Dupont a modifié l’environnement Acceptance",
      "Chloé Dupont ha modificato l’ambiente Acceptance",
      "Chloé Dupont alterou o ambiente Acceptance",
    ]);
  });

  it("say how an API token is called, also after it was deleted", async () => {
    const { tokenId } = await aToken({ appId: app.appId, environmentId });
    const id = await write({ actor: { kind: "token", tokenId }, recordId: app.appId });
    await db.apiToken.delete({ where: { id: tokenId } });
    expect(await newest()).toMatchObject({
      id,
      actorName: "CI",
      sentence: "The API token CI changed the application Borealis",
    });
    expect(await pages({ search: "CI" })).toContain(id);
  });

  it("fit who acts on what: on themselves, nobody, the server, an unknown action", async () => {
    const said = async (record: Parameters<typeof write>[0]) => {
      await write(record);
      return (await newest()).sentence;
    };
    const person = `Chloé Dupont (${admin.email})`;
    const { userId } = admin;
    expect(await said({ table: "User", recordId: userId, userId })).toBe("Chloé Dupont changed their own profile");
    const failure = { table: "Session", action: "sign-in-failed" };
    expect(await said({ ...failure, recordId: userId })).toBe(`Failed sign-in to the account of ${person}`);
    expect(await said(failure)).toBe("Failed sign-in");
    expect(await said({ recordId: app.appId })).toBe("Somebody who was not signed in changed the application Borealis");
    const other = await aUser();
    const ended = { table: "Session", action: "sign-out", recordId: newId(), userId };
    expect(await said({ ...ended, changes: { userId: [other.userId, null] } })).toBe(
      `Chloé Dupont ended a session of Ada Lovelace (${other.email})`,
    );
    expect(await said({ ...ended, changes: { userId: [userId, null] } })).toBe("Chloé Dupont signed out");
    const request = { requestId: "r", now: new Date(), ip: null };
    expect(await said({ table: "TwoFactor", action: "reset", recordId: userId, request })).toBe(
      `The server reset the second factors of ${person}`,
    );
    expect(await said({ table: "SecureVariable", action: "reveal", recordId: environmentId, userId })).toBe(
      "Chloé Dupont read the secure variables of Acceptance",
    );
    expect(await said({ table: "AuthProvider", recordId: "google", userId })).toBe(
      "Chloé Dupont changed the sign-in method Google",
    );
    expect(await said({ table: "constructor", action: "x", recordId: "y", userId })).toBe(
      "Chloé Dupont: x (constructor y)",
    );
  });

  it("are known of records from before, as far as there is something that tells them", async () => {
    const old = async (table: string, recordId: string, changes = "{}") => {
      await db.$executeRaw`
        INSERT INTO "AuditRecord" SELECT 0, ${admin.userId}::uuid, NULL, ${table}, ${recordId}, 'delete', now(), ${changes}::jsonb, NULL,
          'r', '', ''`;
      return newest();
    };
    const { changes } = await db.auditRecord.findFirstOrThrow({ where: { id: deletion } });
    const { recordName } = (await send(getAuditLog, admin, { id: deletion })).body;
    const releaseId = (await db.auditRecord.findFirstOrThrow({ where: { id: deletion } })).recordId as string;
    const { "@names": _, ...before } = changes as Record<string, unknown>;
    expect(await old("Release", releaseId, JSON.stringify(before))).toMatchObject({
      actorName: "Chloé Dupont",
      recordName,
      place: null,
    });
    expect((await old("Release", newId(), JSON.stringify(before))).recordName).toMatch(/^\S+ \(\S+\)$/);
    expect(await old("Role", newId(), '{"name": ["Testers", null]}')).toMatchObject({ recordName: "Testers" });
    const unknown = newId();
    expect(await old("Role", unknown)).toMatchObject({ recordName: null, sentence: expect.stringContaining(unknown) });
  });

  it("are covered by the hash: a changed or removed name is a changed record", async () => {
    const faults = async () => (await verifyAudit(databasePool())).faults;
    const tamper = (changes: string) =>
      databasePool().query(
        `ALTER TABLE "AuditRecord" DISABLE TRIGGER USER; UPDATE "AuditRecord" SET "changes" = ${changes} WHERE "id" = ${deletion};
         ALTER TABLE "AuditRecord" ENABLE TRIGGER USER`,
      );
    expect(await faults()).toEqual([]);
    const { changes } = await db.auditRecord.findFirstOrThrow({ where: { id: deletion } });
    await tamper(`jsonb_set("changes", '{@names,1,actor}', '"Somebody Else"')`);
    expect(await faults()).toEqual([{ fault: "changed", id: String(deletion) }]);
    await tamper(`"changes" - '@names'`);
    expect(await faults()).toEqual([{ fault: "changed", id: String(deletion) }]);
    await tamper(`'${JSON.stringify(changes).replaceAll("'", "''")}'::jsonb`);
    expect(await faults()).toEqual([]);
  });
});

describe("a search of the audit log", () => {
  const inPages = async (input: Record<string, unknown>) => {
    const ids = await pages(input);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a));
    expect(await pages({ ...input, sort: "eventDate" })).toEqual(ids.toReversed());
    return ids;
  };

  it("lists each record once over all pages, however many of its names fit, and counts them", async () => {
    const place = await anApp({ name: "Quartz", environments: [{ name: "Quartz QA" }] });
    const [one] = place.environmentIds as [string];
    await db.user.update({ where: { id: admin.userId }, data: { lastNames: "Quartz" } });
    const ids: number[] = [];
    for (let n = 0; n < 30; n++) {
      const recordId = n % 2 === 0 ? one : place.appId;
      ids.unshift(await write({ table: n % 2 === 0 ? "Environment" : "App", recordId, userId: admin.userId }));
    }
    const found = await inPages({ search: "quartz" });
    expect(found).toEqual(expect.arrayContaining(ids));
    expect(await list({ search: "quartz", limit: 1 })).toMatchObject({ total: found.length });
    expect(await inPages({ search: "quartz qa" })).toEqual(ids.filter((_, index) => index % 2 === 1));
    const { total, totalIsAtLeast } = await list({ search: "quartz qa", limit: 1 });
    expect([total, totalIsAtLeast]).toEqual([15, undefined]);
  });

  it("that finds more names than are looked up reads the log in order, with the same result", async () => {
    await db.$executeRaw`
      INSERT INTO "AuditName" ("subjectId", "name", "recordId")
      SELECT gen_random_uuid(), 'Crowd ' || n, 0 FROM generate_series(1, ${MAX_SUBJECTS}) AS n`;
    const crowd = await anApp({ name: "Crowd", environments: [{ name: "Crowd QA" }] });
    const [one] = crowd.environmentIds as [string];
    const ids: number[] = [];
    for (const recordId of [crowd.appId, one, newId()]) {
      ids.unshift(await write({ table: "Environment", recordId, environmentId: one, userId: admin.userId }));
    }
    expect(await inPages({ search: "crowd" })).toEqual(ids);
    expect(await list({ search: "crowd", limit: 1 })).toMatchObject({ totalIsAtLeast: true });
  });

  it("that finds a name in more records than are counted does not count them", async () => {
    const shared = "Everywhere";
    await db.$executeRaw`
      INSERT INTO "AuditName" ("subjectId", "name", "recordId")
      SELECT gen_random_uuid(), ${shared} || ' ' || n, n FROM generate_series(1, ${SEARCH_COUNT_CAP + 1}) AS n`;
    const statements = await statementsOf(async () => {
      expect(await list({ search: shared, limit: 1 })).toMatchObject({ total: SEARCH_COUNT_CAP, totalIsAtLeast: true });
    });
    expect(statements.filter(({ text }) => text.includes('AS "records"'))).toEqual([]);
    await db.$executeRaw`DELETE FROM "AuditName" WHERE "name" LIKE ${`${shared}%`}`;
  });

  it("as CSV has the records of the list, and the fields of their changes alone", async () => {
    const listed = (await list({ search: "atlas" })).items;
    const csv = await (await sendRaw(getAuditLogs, admin as Caller, { format: "csv", search: "atlas" })).text();
    const lines = csv.trimEnd().split("\r\n").slice(1);
    expect(lines.map((line) => Number(line.split(",")[0]))).toEqual(listed.map(({ id }: { id: number }) => id));
    expect(csv).not.toContain("@names");
  });
});
