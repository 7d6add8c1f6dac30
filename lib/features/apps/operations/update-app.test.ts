import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { anApp, aUser, auditCount, send, type TestUser } from "@/lib/testing/console";
import { aPicture } from "@/lib/testing/pictures";
import { setUpTestDatabase } from "@/scripts/test-database";
import { updateApp } from "./update-app";

setUpTestDatabase();

let admin: TestUser;
beforeAll(async () => {
  admin = await aUser({ admin: true });
});

/** The latest audit record. */
async function lastChanges() {
  const { table, action, recordId, changes } = await db.auditRecord.findFirstOrThrow({ orderBy: { id: "desc" } });
  return { table, action, recordId, changes };
}

describe("update-app", () => {
  it("changes the given fields, keeps the others, and records old and new values", async () => {
    const { appId, identifier } = await anApp({ name: "Old" });
    const before = await auditCount();
    const answer = await send(updateApp, admin, { id: appId, name: "New", description: "Better" });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ id: appId, name: "New", identifier, description: "Better", status: "active" });
    expect(await auditCount()).toBe(before + 1);
    expect(await lastChanges()).toEqual({
      table: "App",
      action: "update",
      recordId: appId,
      changes: expect.objectContaining({ name: ["Old", "New"], description: [null, "Better"] }),
    });
  });

  it("removes the description with null or an empty string", async () => {
    const { appId } = await anApp();
    for (const description of [null, " "]) {
      await send(updateApp, admin, { id: appId, description: "Words" });
      expect((await send(updateApp, admin, { id: appId, description })).body.description).toBeNull();
    }
  });

  it("replaces the logo, and deletes the old file if nothing uses it", async () => {
    const [first, second] = [await aPicture(admin), await aPicture(admin)];
    const [one, other] = [await anApp(), await anApp()];
    await send(updateApp, admin, { id: one.appId, logoFileId: first });
    await send(updateApp, admin, { id: other.appId, logoFileId: first });

    const answer = await send(updateApp, admin, { id: one.appId, logoFileId: second });
    expect(answer.body.logoUrl).toBe(`/api/files/download-file?id=${second}`);
    expect((await db.file.findUnique({ where: { id: first } }))?.state).toBe("ready");

    expect((await send(updateApp, admin, { id: other.appId, logoFileId: null })).body.logoUrl).toBeNull();
    await expect.poll(() => db.file.findUnique({ where: { id: first } })).toBeNull();
  });

  it("accepts the application's own identifier in another case, and refuses another application's", async () => {
    const mine = await anApp({ identifier: "com.acme.mine" });
    await anApp({ identifier: "com.acme.theirs" });
    expect((await send(updateApp, admin, { id: mine.appId, identifier: "com.acme.Mine" })).status).toBe(200);
    const before = await auditCount();
    const answer = await send(updateApp, admin, { id: mine.appId, identifier: "COM.acme.theirs" });
    expect([answer.status, answer.body.code]).toEqual([409, "conflict"]);
    expect(answer.body.errors).toEqual([expect.objectContaining({ path: "identifier" })]);
    expect(await auditCount()).toBe(before);
  });

  it("answers 404 for an unknown application, and writes nothing", async () => {
    const before = await auditCount();
    const answer = await send(updateApp, admin, { id: "019a0000-0000-7000-8000-00000000dead", name: "X" });
    expect([answer.status, answer.body.code]).toEqual([404, "not_found"]);
    expect(await auditCount()).toBe(before);
  });

  it("is only for administrators", async () => {
    const { appId, name } = await anApp();
    const writer = await aUser({ grants: [{ scopes: ["environment:write"] }] });
    const answer = await send(updateApp, writer, { id: appId, name: "Mine" });
    expect([answer.status, answer.body.code]).toEqual([403, "forbidden"]);
    expect((await db.app.findUniqueOrThrow({ where: { id: appId } })).name).toBe(name);
  });
});
