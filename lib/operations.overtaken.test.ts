import { beforeEach, expect, it } from "vitest";
import { type AuditedOperation, isAudited, type Operation } from "@/lib/api/operation";
import { writeAudit } from "@/lib/audit/write";
import { endSessions } from "@/lib/auth/sessions";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { admitsUsers } from "@/lib/permissions/authorize";
import { isScope, SCOPES } from "@/lib/permissions/scopes";
import { type Answer, aToken, aUser, type Caller, send, type TestUser } from "@/lib/testing/console";
import { databaseFingerprint } from "@/lib/testing/fingerprint";
import { LONG_TRANSACTION, untilWaitingForLocks } from "@/lib/testing/locks";
import { beforeHandler } from "@/lib/testing/overtake";
import { makeWorld, type World } from "@/lib/testing/world";
import { IS_WHOLE, someOf } from "@/scripts/test-amount";
import { setUpTestDatabase } from "@/scripts/test-database";
import { operations } from "./operations";
import { sampleOf } from "./testing/samples";

// Every audited operation × everything that can be taken from its caller after the call was let in and before its change
// is made or its secret is told: while the body is on its way, a password is hashed or an installer is read.
// `npm test` takes one thing from the caller of each operation, in turns; `operations.overtaken.slow.test.ts` takes all of them.

const audited = Object.entries<Operation>(operations).filter(
  (entry): entry is [string, AuditedOperation] => isAudited(entry[1]) && entry[1].access !== "public",
);

setUpTestDatabase();

let world: World;

beforeEach(async () => {
  world = await makeWorld();
});

/** A key of what the database holds, the files aside: those of a refused call are removed. */
async function contents(): Promise<unknown> {
  const { File: _files, ...tables } = await databaseFingerprint();
  return tables;
}

/** The outcome of a call during which something happens, just before its handler runs. */
async function overtaken(
  operation: AuditedOperation,
  caller: Caller,
  event: () => Promise<unknown>,
): Promise<{ outcome: string; changed: boolean }> {
  const call = await sampleOf(operation).arrange(world, caller);
  let before: unknown;
  beforeHandler(operation, async () => {
    await event();
    before = await contents();
  });
  const { status, body }: Answer = await call(caller);
  const changed = JSON.stringify(await contents()) !== JSON.stringify(before);
  return { outcome: status < 400 ? "served" : body.code, changed };
}

/** An administrator who has passed a second factor, where the sample does not bring one of its own. */
async function anAdministrator(): Promise<TestUser> {
  const admin = await aUser({ admin: true });
  const now = new Date();
  await db.session.update({
    where: { id: admin.sessionId },
    data: { secondFactorAt: now, secondFactorConfirmedAt: now },
  });
  return admin;
}

/** Whether an operation's access is a scope. */
function isScoped({ access }: AuditedOperation): boolean {
  return typeof access === "object" ? !("own" in access) || "anyTarget" in access : isScope(access);
}

const forUsers = audited.filter(([, { access }]) => admitsUsers(access));

/** What is taken from a user, and the refusals that follow. */
const TAKEN: readonly { what: string; refusals: readonly string[]; take(caller: TestUser): Promise<unknown> }[] = [
  {
    what: "from whom the right was taken",
    refusals: ["forbidden", "not_found"],
    take: async ({ userId }) => {
      const role = await db.role.create({ data: { id: newId(), name: `role ${newId()}` } });
      await db.user.update({ where: { id: userId }, data: { roleId: role.id } });
    },
  },
  {
    what: "who was signed out",
    refusals: ["session_expired"],
    take: ({ sessionId }) => db.session.deleteMany({ where: { id: sessionId } }),
  },
  {
    what: "who was switched off",
    refusals: ["session_expired"],
    take: ({ userId }) => db.user.update({ where: { id: userId }, data: { status: "inactive" } }),
  },
];

const takenFromUsers = forUsers.flatMap(([key, operation], turn) => {
  const needsRight = operation.access === "admin" || isScoped(operation);
  return someOf(needsRight ? TAKEN : TAKEN.slice(1), turn, 1).map(
    (taken) => [key, taken.what, operation, taken] as const,
  );
});

it.each(takenFromUsers)("%s changes nothing for a caller %s before the change", async (key, _, operation, taken) => {
  const caller = await anAdministrator();
  const { outcome, changed } = await overtaken(operation, caller, () => taken.take(caller));
  if (key === "auth/logout") return expect(outcome).toBe("served");
  expect(taken.refusals).toContain(outcome);
  expect(changed).toBe(false);
});

/** What no API token can do: it has one environment, and these make another or need two. */
const BEYOND_TOKENS = ["apps/create-environment-app", "apps/promote-testing-deploy"];
const forTokens = audited
  .filter(([key, operation]) => isScoped(operation) && !BEYOND_TOKENS.includes(key))
  // The check is the one that users have: `npm test` asks it for each second operation.
  .filter((_, turn) => IS_WHOLE || turn % 2 === 0);

it.each(forTokens)("%s changes nothing for an API token that was revoked before the change", async (_, operation) => {
  const { app, environmentId } = world;
  const token = await aToken({ appId: app.appId, environmentId, scopes: [...SCOPES] });
  const event = () => db.apiToken.update({ where: { id: token.tokenId }, data: { revokedAt: new Date() } });
  expect(await overtaken(operation, token, event)).toEqual({ outcome: "invalid_token", changed: false });
});

it("takes the order of the audit log: a change that is recorded after its caller was signed out is not made", async () => {
  const caller = await aUser({ admin: true });
  const name = `role ${newId()}`;
  const { answer } = await db.$transaction(async (tx) => {
    await endSessions(tx, caller.userId);
    const request = { requestId: newId(), ip: null, now: new Date() };
    const record = { table: "Session", action: "sign-out-elsewhere", recordId: null, changes: {} };
    await writeAudit(tx, { actor: { kind: "anonymous", expired: false }, request, ...record });
    const answer = send(operations["config/create-role"], caller, { name });
    await untilWaitingForLocks(1);
    return { answer };
  }, LONG_TRANSACTION);
  expect((await answer).body.code).toBe("session_expired");
  expect(await db.role.count({ where: { name } })).toBe(0);
});
