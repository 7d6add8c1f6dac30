import { describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { anApp, aToken, aUser, auditCount, type Caller, send } from "@/lib/testing/console";
import { setUpTestDatabase } from "@/scripts/test-database";
import { createEnvironmentApp } from "./create-environment-app";

setUpTestDatabase();

const SCOPE = ["environment:write" as const];

/** Sends the command and proves that it changed nothing. */
async function refused(caller: Caller, input: Record<string, unknown>) {
  const before = [await auditCount(), await db.environment.count()];
  const answer = await send(createEnvironmentApp, caller, input);
  expect([await auditCount(), await db.environment.count()]).toEqual(before);
  return answer;
}

describe("create-environment-app", () => {
  it("adds an environment for a caller who may write in the whole application, with one audit record", async () => {
    const { appId } = await anApp({ environments: [] });
    const writer = await aUser({ grants: [{ scopes: SCOPE, apps: [{ appId }] }] });
    const before = await auditCount();
    const answer = await send(createEnvironmentApp, writer, {
      appId,
      name: " Staging ",
      status: "inactive",
      identifiers: ["com.acme.staging", "com.acme.staging"],
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.any(String),
      appId,
      name: "Staging",
      status: "inactive",
      identifiers: ["com.acme.staging"],
      position: 1,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(await auditCount()).toBe(before + 1);
    const record = await db.auditRecord.findFirstOrThrow({ orderBy: { id: "desc" } });
    expect(record).toMatchObject({
      table: "Environment",
      action: "create",
      recordId: answer.body.id,
      userId: writer.userId,
      changes: { appId: [null, appId], name: [null, "Staging"], identifiers: [null, ["com.acme.staging"]] },
    });
  });

  it("lets administrators and roles for all applications add one", async () => {
    const { appId } = await anApp();
    for (const [index, caller] of [
      await aUser({ admin: true }),
      await aUser({ grants: [{ scopes: SCOPE }] }),
    ].entries()) {
      expect((await send(createEnvironmentApp, caller, { appId, name: `Env ${index}` })).status).toBe(201);
    }
  });

  it("refuses a caller who may write only in single environments, even if those are all", async () => {
    const { appId, environmentIds } = await anApp();
    const writer = await aUser({ grants: [{ scopes: SCOPE, apps: [{ appId, environmentIds }] }] });
    const mixed = await aUser({
      grants: [
        { scopes: SCOPE, apps: [{ appId, environmentIds }] },
        { scopes: ["release:delete"], apps: [{ appId }] },
      ],
    });
    const token = await aToken({ appId, environmentId: environmentIds[0] as string, scopes: SCOPE });
    for (const caller of [writer, mixed, token]) {
      const answer = await refused(caller, { appId, name: "Mine" });
      expect([answer.status, answer.body.code]).toEqual([403, "forbidden"]);
    }
  });

  it("answers 404 if the application is out of reach or does not exist", async () => {
    const [mine, theirs] = [await anApp(), await anApp()];
    const writer = await aUser({ grants: [{ scopes: SCOPE, apps: [{ appId: mine.appId }] }] });
    for (const appId of [theirs.appId, "019a0000-0000-7000-8000-00000000dead"]) {
      const answer = await refused(writer, { appId, name: "X" });
      expect([answer.status, answer.body.code]).toEqual([404, "not_found"]);
    }
  });

  it("refuses a name that exists in the application, ignoring case, and accepts it in another one", async () => {
    const [one, other] = [await anApp({ environments: [{ name: "Staging" }] }), await anApp()];
    const admin = await aUser({ admin: true });
    const answer = await refused(admin, { appId: one.appId, name: "STAGING" });
    expect([answer.status, answer.body.code]).toEqual([409, "conflict"]);
    expect(answer.body.errors).toEqual([expect.objectContaining({ path: "name" })]);
    expect((await send(createEnvironmentApp, admin, { appId: other.appId, name: "Staging" })).status).toBe(201);
  });

  it("reports each invalid field by its path", async () => {
    const { appId } = await anApp();
    const admin = await aUser({ admin: true });
    const wrong: [string, Record<string, unknown>][] = [
      ["name", { appId, name: "" }],
      ["identifiers.1", { appId, name: "X", identifiers: ["com.acme.a", "not an identifier"] }],
      [
        "identifiers",
        { appId, name: "X", identifiers: Array.from({ length: 51 }, (_, index) => `com.acme.a${index}`) },
      ],
      ["appId", { appId: "1", name: "X" }],
      ["id", { appId, name: "X", id: appId }],
    ];
    for (const [path, input] of wrong) {
      const answer = await refused(admin, input);
      expect([answer.status, answer.body.errors[0].path]).toEqual([422, path]);
    }
  });
});
