import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { getEnvironmentApp } from "@/lib/features/environments/operations/get-environment-app";
import { anApp, aToken, aUser, auditCount, send, type TestUser } from "@/lib/testing/console";
import { setUpTestDatabase } from "@/scripts/test-database";
import { deleteApiToken } from "./delete-api-token";

setUpTestDatabase();

let admin: TestUser;
let place: { appId: string; environmentId: string };
beforeAll(async () => {
  admin = await aUser({ admin: true });
  const { appId, environmentIds } = await anApp();
  place = { appId, environmentId: environmentIds[0] as string };
});

describe("delete-api-token", () => {
  it("refuses the token from its next request on, with one audit record that does not contain it", async () => {
    const made = await aToken({ ...place, scopes: ["environment:read"] });
    const use = () => send(getEnvironmentApp, made, { id: place.environmentId });
    expect((await use()).status).toBe(200);

    const before = await auditCount();
    const answer = await send(deleteApiToken, admin, { id: made.tokenId });
    expect([answer.status, answer.body]).toEqual([204, ""]);
    const after = await use();
    expect([after.status, after.body.code]).toEqual([401, "invalid_token"]);

    expect(await auditCount()).toBe(before + 1);
    const record = await db.auditRecord.findFirstOrThrow({ orderBy: { id: "desc" } });
    expect(record).toMatchObject({ table: "ApiToken", action: "delete", recordId: made.tokenId, userId: admin.userId });
    expect(record.changes).toMatchObject({ name: ["CI", null], environmentId: [place.environmentId, null] });
    expect(JSON.stringify(record.changes)).not.toContain(made.token.slice(12));
  });

  it("does not affect the other tokens of the environment", async () => {
    const [one, other] = [await aToken(place), await aToken({ ...place, scopes: ["environment:read"] })];
    await send(deleteApiToken, admin, { id: one.tokenId });
    expect((await send(getEnvironmentApp, other, { id: place.environmentId })).status).toBe(200);
  });

  it("answers 404 for an unknown or deleted token, also for the second of two calls at the same moment", async () => {
    const { tokenId } = await aToken(place);
    const before = await auditCount();
    const answers = await Promise.all([1, 2].map(() => send(deleteApiToken, admin, { id: tokenId })));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
    expect((await send(deleteApiToken, admin, { id: tokenId })).status).toBe(404);
    expect((await send(deleteApiToken, admin, { id: "019a0000-0000-7000-8000-00000000dead" })).status).toBe(404);
    expect(await auditCount()).toBe(before + 1);
  });

  it("is only for administrators: a token cannot delete itself", async () => {
    const made = await aToken({ ...place, scopes: ["environment:write"] });
    const writer = await aUser({ grants: [{ scopes: ["environment:write"] }] });
    for (const caller of [made, writer]) {
      expect((await send(deleteApiToken, caller, { id: made.tokenId })).status).toBe(403);
    }
    expect((await db.apiToken.findUniqueOrThrow({ where: { id: made.tokenId } })).revokedAt).toBeNull();
  });
});
