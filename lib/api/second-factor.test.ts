import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { db } from "@/lib/db/client";
import { confirmSecondFactor } from "@/lib/features/two-factor/operations/confirm-second-factor";
import {
  ANONYMOUS,
  type Answer,
  anApp,
  aToken,
  aUser,
  auditCount,
  type Caller,
  send,
  type TestUser,
} from "@/lib/testing/console";
import { codeOf, withTwoFactor } from "@/lib/testing/two-factor";
import { setUpTestDatabase } from "@/scripts/test-database";
import { openApiDocument } from "./openapi";
import { defineCommand, defineQuery } from "./operation";

const SCOPE = "secure-variable:read";

const common = {
  area: "apps",
  access: SCOPE,
  input: z.strictObject({ environmentId: z.string() }),
  output: z.object({}),
  errors: [],
  target: async ({ environmentId }: { environmentId: string }) => {
    const row = await db.environment.findUnique({ where: { id: environmentId } });
    return row && { appId: row.appId, environmentId, active: true };
  },
} as const;

const listSecrets = defineQuery({
  ...common,
  name: "get-secure-variables",
  summary: "List secrets",
  secondFactor: "enrolled",
  handler: async () => ({}),
});

/** How often a secret was read. */
let reads = 0;
/** Runs while the handler reads, like a concurrent change. */
let duringRead = async () => {};

const revealSecret = defineQuery({
  ...common,
  name: "get-secure-variable",
  summary: "Reveal a secret",
  secondFactor: "recent",
  audit: { table: "SecureVariable", action: "reveal" },
  handler: async ({ input: { environmentId } }) => {
    reads += 1;
    await duringRead();
    return { output: {}, audit: { recordId: environmentId, changes: {} } };
  },
});

const exportMine = defineCommand({
  ...common,
  name: "export-mine",
  summary: "Export one's own",
  access: "user",
  target: undefined,
  secondFactor: "recent",
  status: 200,
  audit: { table: "User", action: "export" },
  handler: async () => ({ output: {}, audit: { recordId: null, changes: {} } }),
});

setUpTestDatabase();

let place: { appId: string; environmentId: string };
beforeAll(async () => {
  const { appId, environmentIds } = await anApp();
  place = { appId, environmentId: environmentIds[0] as string };
});

const outcomeOf = ({ status, body }: Answer) => (status === 200 ? "served" : body.code);
const reveal = async (caller: Caller) =>
  outcomeOf(await send(revealSecret, caller, { environmentId: place.environmentId }));
const list = async (caller: Caller) =>
  outcomeOf(await send(listSecrets, caller, { environmentId: place.environmentId }));

async function aReader(): Promise<TestUser> {
  return aUser({ grants: [{ scopes: [SCOPE] }] });
}

/** Lets a session have passed its second factor some time ago, with its last proof some time ago, in minutes. */
async function passedAgo({ sessionId }: TestUser, passed: number, confirmed: number | null): Promise<void> {
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const data = { secondFactorAt: ago(passed), secondFactorConfirmedAt: confirmed === null ? null : ago(confirmed) };
  await db.session.update({ where: { id: sessionId }, data });
}

describe("an operation that requires a recent second factor", () => {
  it("serves a person for 15 minutes after it, and again once they have confirmed it", async () => {
    const reader = await aReader();
    const secret = await withTwoFactor(reader, { passed: true });
    expect(await reveal(reader)).toBe("served");
    await passedAgo(reader, 14, 14);
    expect(await reveal(reader)).toBe("served");
    await passedAgo(reader, 16, 16);
    const [records, handled] = [await auditCount(), reads];
    expect(await reveal(reader)).toBe("two_factor_required");
    expect(outcomeOf(await send(exportMine, reader, { environmentId: "" }))).toBe("two_factor_required");
    expect([await auditCount(), reads]).toEqual([records, handled]);
    expect((await send(confirmSecondFactor, reader, { code: codeOf(secret) })).status).toBe(200);
    expect(await reveal(reader)).toBe("served");
    expect(outcomeOf(await send(exportMine, reader, { environmentId: "" }))).toBe("served");
  });

  it("does not take a sign-in with a recovery code for one", async () => {
    const reader = await aReader();
    await withTwoFactor(reader, { passed: true });
    await passedAgo(reader, 0, null);
    expect(await reveal(reader)).toBe("two_factor_required");
    expect(await list(reader)).toBe("served");
  });

  it("leads people without one to set it up", async () => {
    const reader = await aReader();
    for (const call of [reveal, list]) expect(await call(reader)).toBe("two_factor_enrollment_required");
  });

  it("judges API tokens by their scopes alone", async () => {
    expect(await reveal(await aToken({ ...place, scopes: [SCOPE] }))).toBe("served");
    expect(await reveal(await aToken({ ...place, scopes: ["release:read"] }))).toBe("forbidden");
  });

  it("tells people without the right what they would be told without it", async () => {
    const [stranger, holderOfAnother] = [await aUser(), await aUser({ grants: [{ scopes: ["release:read"] }] })];
    for (const call of [reveal, list]) {
      expect(await call(ANONYMOUS)).toBe("not_authenticated");
      expect(await call(stranger)).toBe("not_found");
      expect(await call(holderOfAnother)).toBe("forbidden");
    }
  });

  it("answers nothing where the second factor is gone by the time of its record", async () => {
    const reader = await aReader();
    await withTwoFactor(reader, { passed: true });
    const records = await auditCount();
    duringRead = () => passedAgo(reader, 60, 60);
    expect(await reveal(reader)).toBe("two_factor_required");
    duringRead = async () => {};
    expect(await auditCount()).toBe(records);
    expect(await reveal(reader)).toBe("two_factor_required");
  });

  it("is described in the OpenAPI document", () => {
    const { paths } = openApiDocument({ revealSecret, listSecrets }, "https://slipway.example") as {
      paths: Record<string, { get: { description: string; responses: Record<string, { description: string }> } }>;
    };
    const [recent, enrolled] = [
      paths["/api/apps/get-secure-variable"]?.get,
      paths["/api/apps/get-secure-variables"]?.get,
    ];
    expect(recent?.description).toContain("a second factor from the last 15 minutes");
    expect(enrolled?.description).toContain("a session with a second factor");
    for (const entry of [recent, enrolled]) {
      expect(entry?.responses[403]?.description).toContain("`two_factor_required`");
      expect(entry?.responses[403]?.description).toContain("`two_factor_enrollment_required`");
    }
  });
});
