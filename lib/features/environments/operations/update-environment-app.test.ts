import { describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { anApp, aToken, aUser, auditCount, type Caller, send } from "@/lib/testing/console";
import { setUpTestDatabase } from "@/scripts/test-database";
import { updateEnvironmentApp } from "./update-environment-app";

setUpTestDatabase();

const SCOPE = ["environment:write" as const];

/** Sends the command and proves that it changed nothing. */
async function refused(caller: Caller, input: { id: string } & Record<string, unknown>) {
  const state = async () => [await auditCount(), await db.environment.findUnique({ where: { id: input.id } })];
  const before = await state();
  const answer = await send(updateEnvironmentApp, caller, input);
  expect(await state()).toEqual(before);
  return answer;
}

describe("update-environment-app", () => {
  it("changes the given fields for a caller who may write in the environment, and records old and new values", async () => {
    const { appId, environmentIds } = await anApp({ environments: [{ name: "Old", identifiers: ["com.acme.a"] }] });
    const [id] = environmentIds as [string];
    const writer = await aUser({ grants: [{ scopes: SCOPE, apps: [{ appId, environmentIds: [id] }] }] });
    const before = await auditCount();
    const answer = await send(updateEnvironmentApp, writer, { id, name: "New", identifiers: ["com.acme.b"] });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ id, appId, name: "New", status: "active", identifiers: ["com.acme.b"] });
    expect(await auditCount()).toBe(before + 1);
    expect(await db.auditRecord.findFirstOrThrow({ orderBy: { id: "desc" } })).toMatchObject({
      table: "Environment",
      action: "update",
      recordId: id,
      changes: { name: ["Old", "New"], identifiers: [["com.acme.a"], ["com.acme.b"]] },
    });
    expect((await send(updateEnvironmentApp, writer, { id, identifiers: [] })).body.identifiers).toEqual([]);
  });

  it("lets the caller who deactivated it activate it again", async () => {
    const { appId, environmentIds } = await anApp();
    const [id] = environmentIds as [string];
    const writer = await aUser({ grants: [{ scopes: SCOPE, apps: [{ appId }] }] });
    for (const status of ["inactive", "active"]) {
      expect((await send(updateEnvironmentApp, writer, { id, status })).body.status).toBe(status);
    }
  });

  it("answers 404 if the environment is out of reach, and to readers if it is inactive", async () => {
    const app = await anApp({ environments: [{ name: "One" }, { name: "Two" }, { name: "Off", status: "inactive" }] });
    const [one, two, off] = app.environmentIds as [string, string, string];
    const writer = await aUser({ grants: [{ scopes: SCOPE, apps: [{ appId: app.appId, environmentIds: [one] }] }] });
    const reader = await aUser({ grants: [{ scopes: ["environment:read"], apps: [{ appId: app.appId }] }] });
    const token = await aToken({ appId: app.appId, environmentId: one });
    expect((await refused(writer, { id: two, name: "X" })).status).toBe(404);
    expect((await refused(writer, { id: "019a0000-0000-7000-8000-00000000dead", name: "X" })).status).toBe(404);
    expect((await refused(reader, { id: off, name: "X" })).status).toBe(404);
    expect((await refused(reader, { id: one, name: "X" })).status).toBe(403);
    expect((await refused(token, { id: one, name: "X" })).status).toBe(403);
  });

  it("refuses another environment's name, ignoring case, and accepts its own in another case", async () => {
    const { environmentIds } = await anApp({ environments: [{ name: "One" }, { name: "Two" }] });
    const [id] = environmentIds as [string];
    const admin = await aUser({ admin: true });
    const answer = await refused(admin, { id, name: "two" });
    expect([answer.status, answer.body.code]).toEqual([409, "conflict"]);
    expect(answer.body.errors).toEqual([expect.objectContaining({ path: "name" })]);
    expect((await send(updateEnvironmentApp, admin, { id, name: "ONE" })).body.name).toBe("ONE");
  });

  it("cannot move an environment to another application", async () => {
    const [one, other] = [await anApp(), await anApp()];
    const admin = await aUser({ admin: true });
    const answer = await refused(admin, { id: one.environmentIds[0] as string, appId: other.appId });
    expect([answer.status, answer.body.errors[0].path]).toEqual([422, "appId"]);
  });
});
