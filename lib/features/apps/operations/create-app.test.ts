import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { anApp, aToken, aUser, auditCount, send, type TestUser } from "@/lib/testing/console";
import { aPicture } from "@/lib/testing/pictures";
import { setUpTestDatabase } from "@/scripts/test-database";
import { createApp } from "./create-app";

setUpTestDatabase();

let admin: TestUser;
beforeAll(async () => {
  admin = await aUser({ admin: true });
});

describe("create-app", () => {
  it("adds an application and returns it as stored, with one audit record of the given fields", async () => {
    const logoFileId = await aPicture(admin);
    const before = await auditCount();
    const answer = await send(createApp, admin, {
      name: " Notes ",
      identifier: "com.acme.Notes",
      description: "Takes notes",
      logoFileId,
      status: "inactive",
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      name: "Notes",
      identifier: "com.acme.Notes",
      description: "Takes notes",
      logoUrl: `/api/files/download-file?id=${logoFileId}`,
      iconUrl: `/api/files/download-file?id=${logoFileId}`,
      status: "inactive",
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
    expect(await auditCount()).toBe(before + 1);
    const record = await db.auditRecord.findFirstOrThrow({ orderBy: { id: "desc" } });
    expect(record).toMatchObject({ table: "App", action: "create", recordId: answer.body.id, userId: admin.userId });
    expect(record.changes).toMatchObject({ name: [null, "Notes"], identifier: [null, "com.acme.Notes"] });
    expect((await db.file.findUniqueOrThrow({ where: { id: logoFileId } })).state).toBe("ready");
  });

  it("makes it active, without description and logo, by default", async () => {
    const { body } = await send(createApp, admin, { name: "Bare", identifier: "com.acme.bare" });
    expect(body).toMatchObject({ status: "active", description: null, logoUrl: null });
  });

  it("refuses an identifier that exists, ignoring case, and names the field", async () => {
    await anApp({ identifier: "com.acme.taken" });
    const before = [await auditCount(), await db.app.count()];
    const answer = await send(createApp, admin, { name: "Twin", identifier: "com.ACME.Taken" });
    expect([answer.status, answer.body.code]).toEqual([409, "conflict"]);
    expect(answer.body.errors).toEqual([expect.objectContaining({ path: "identifier" })]);
    expect([await auditCount(), await db.app.count()]).toEqual(before);
  });

  it("creates one application if two are sent with the same identifier at once", async () => {
    const answers = await Promise.all(
      ["com.acme.race", "com.acme.RACE"].map((identifier) => send(createApp, admin, { name: "Race", identifier })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it("accepts a bundle ID of one part, as Apple does", async () => {
    const answer = await send(createApp, admin, { name: "One part", identifier: "Test" });
    expect([answer.status, answer.body.identifier]).toEqual([201, "Test"]);
  });

  it("does not treat an identifier as a pattern", async () => {
    await anApp({ identifier: "com.acme.axb" });
    expect((await send(createApp, admin, { name: "Underscore", identifier: "com.acme.a_b" })).status).toBe(201);
  });

  it("refuses a logo that was never uploaded, and stores nothing", async () => {
    const before = [await auditCount(), await db.app.count()];
    const answer = await send(createApp, admin, {
      name: "Logo",
      identifier: "com.acme.logo",
      logoFileId: "019a0000-0000-7000-8000-00000000dead",
    });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual([expect.objectContaining({ path: "logoFileId" })]);
    expect([await auditCount(), await db.app.count()]).toEqual(before);
  });

  it.each([
    ["name", { name: " ", identifier: "com.acme.x" }],
    ["name", { name: "n".repeat(101), identifier: "com.acme.x" }],
    ["identifier", { name: "X" }],
    ["identifier", { name: "X", identifier: "acme app" }],
    ["identifier", { name: "X", identifier: "acme." }],
    ["description", { name: "X", identifier: "com.acme.x", description: "d".repeat(2_001) }],
    ["status", { name: "X", identifier: "com.acme.x", status: "deleted" }],
    ["createdAt", { name: "X", identifier: "com.acme.x", createdAt: "2020-01-01T00:00:00Z" }],
  ])("reports that %s is invalid and writes nothing", async (path, input) => {
    const before = await auditCount();
    const answer = await send(createApp, admin, input);
    expect([answer.status, answer.body.code]).toEqual([422, "validation_failed"]);
    expect(answer.body.errors).toEqual([expect.objectContaining({ path })]);
    expect(await auditCount()).toBe(before);
  });

  it("is only for administrators: neither all scopes nor a token suffices", async () => {
    const app = await anApp();
    const writer = await aUser({ grants: [{ scopes: ["environment:write", "release:delete"] }] });
    const token = await aToken({ appId: app.appId, environmentId: app.environmentIds[0] as string });
    const before = await auditCount();
    for (const caller of [writer, token]) {
      const answer = await send(createApp, caller, { name: "X", identifier: "com.acme.forbidden" });
      expect([answer.status, answer.body.code]).toEqual([403, "forbidden"]);
    }
    expect(await auditCount()).toBe(before);
    expect(await db.app.count({ where: { identifier: "com.acme.forbidden" } })).toBe(0);
  });
});
