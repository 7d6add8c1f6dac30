import { beforeAll, describe, expect, it } from "vitest";
import { writeAudit } from "@/lib/audit/write";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { send } from "@/lib/testing/console";
import { makeWorld, type World } from "@/lib/testing/world";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getAuditLog } from "./get-audit-log";
import { getAuditLogKinds } from "./get-audit-log-kinds";

setUpTestDatabase();

let world: World;

beforeAll(async () => {
  world = await makeWorld();
});

/** Writes a record and returns it as the operation answers it. */
async function recorded(record: {
  table: string;
  recordId: string | null;
  changes?: Record<string, [unknown, unknown]>;
  tokenId?: string;
}) {
  const { tokenId, changes = {}, ...rest } = record;
  await db.$transaction((tx) =>
    writeAudit(tx, {
      actor: tokenId ? { kind: "token", tokenId } : { kind: "anonymous", expired: false },
      request: { requestId: "request-1", now: new Date("2026-01-10T00:00:00Z"), ip: "192.0.2.7" },
      action: "update",
      changes,
      userId: tokenId ? undefined : world.admin.userId,
      ...rest,
    }),
  );
  const { id } = await db.auditRecord.findFirstOrThrow({ orderBy: { id: "desc" } });
  const { status, body } = await send(getAuditLog, world.admin, { id: Number(id) });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

describe("one record of the audit log", () => {
  it("has its differences, request, address, place in the chain and the names of who changed what", async () => {
    const changes = { name: ["Notes", "Notas"], clientSecret: ["old", "new"] } as Record<string, [unknown, unknown]>;
    const role = await db.role.create({ data: { id: newId(), name: "Testers" } });
    const body = await recorded({ table: "Role", recordId: role.id, changes });
    const row = await db.auditRecord.findFirstOrThrow({ where: { id: body.id } });
    expect(body).toMatchObject({
      userId: world.admin.userId,
      userEmail: world.admin.email,
      changes: { name: ["Notes", "Notas"], clientSecret: ["•••", "•••"] },
      redacted: ["clientSecret"],
      requestId: "request-1",
      ip: "192.0.2.7",
      previousHash: row.previousHash,
      hash: row.hash,
      record: { name: "Testers", appId: null, environmentId: null },
    });
    await db.role.delete({ where: { id: role.id } });
    expect((await recorded({ table: "Role", recordId: role.id })).record).toBeNull();
  });

  it("names the place of an object, also where a reveal names the environment", async () => {
    const app = await db.app.findFirstOrThrow({ include: { environments: true } });
    const [environment] = app.environments;
    if (!environment) throw new Error("the application has no environment");
    const place = { name: environment.name, appId: app.id, environmentId: environment.id };
    expect((await recorded({ table: "App", recordId: app.id })).record).toEqual({
      name: app.name,
      appId: app.id,
      environmentId: null,
    });
    for (const table of ["Environment", "SecureVariable", "SecureCertificate", "DevVariable", "Release"])
      expect((await recorded({ table, recordId: environment.id })).record).toEqual(place);
  });

  it("names no object of a kind without names, and of an ID that is none", async () => {
    for (const [table, recordId] of [
      ["Session", newId()],
      ["App", "no-id"],
      ["App", null],
      ["constructor", newId()],
    ] as const)
      expect((await recorded({ table, recordId })).record).toBeNull();
  });

  it("names the API token that made the change, also after it was deleted", async () => {
    const token = await db.apiToken.findFirstOrThrow();
    expect(await recorded({ table: "Release", recordId: null, tokenId: token.id })).toMatchObject({
      userId: null,
      userName: null,
      tokenId: token.id,
      tokenName: token.name,
    });
    const gone = newId();
    const body = await recorded({ table: "Release", recordId: null, tokenId: gone });
    expect([body.tokenId, body.tokenName]).toEqual([gone, null]);
  });

  it("is not found where there is none", async () => {
    expect((await send(getAuditLog, world.admin, { id: 1_000_000 })).status).toBe(404);
    expect((await send(getAuditLog, world.admin, { id: 0 })).status).toBe(422);
  });
});

it("the filters of the audit log are the tables and actions that it contains, in alphabetical order", async () => {
  await recorded({ table: "zebra", recordId: null });
  await recorded({ table: "Aardvark", recordId: null });
  const { body } = await send(getAuditLogKinds, world.admin, {});
  expect(body.tables.at(0)).toBe("Aardvark");
  expect(body.tables.at(-1)).toBe("zebra");
  expect(body.tables).toEqual([...new Set(body.tables)].sort());
  expect(body.actions).toContain("update");
});
