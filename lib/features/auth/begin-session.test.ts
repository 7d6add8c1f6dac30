import { beforeAll, expect, it } from "vitest";
import type { Operation } from "@/lib/api/operation";
import { db } from "@/lib/db/client";
import { validateLoginWithPasskey } from "@/lib/features/passkeys/operations/validate-login-with-passkey";
import { oauthLoginCreateSession } from "@/lib/features/sso/operations/oauth-login-create-session";
import { hashToken } from "@/lib/kernel/crypto/tokens";
import { auditCount, sessionOf } from "@/lib/testing/console";
import { sampleOf } from "@/lib/testing/samples";
import { makeWorld, type World } from "@/lib/testing/world";
import { setUpTestDatabase } from "@/scripts/test-database";
import { emailLogin } from "./operations/email-login";
import { setupFirstAdmin } from "./operations/setup-first-admin";

setUpTestDatabase();

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});

it.each<[string, Operation, { method: string; secondFactor: boolean }]>([
  ["by e-mail and password", emailLogin, { method: "password", secondFactor: false }],
  ["with a passkey", validateLoginWithPasskey, { method: "passkey", secondFactor: true }],
  ["by a provider", oauthLoginCreateSession, { method: "sso", secondFactor: false }],
  ["by the setup link", setupFirstAdmin, { method: "setup", secondFactor: false }],
])(
  "a sign-in %s is recorded with its user, begins one session and leaves one audit record",
  async (_way, operation, expected) => {
    const sendSample = await sampleOf(operation).arrange(world);
    await db.user.updateMany({ data: { lastSignInAt: null } });
    const [records, sessions, begun] = [await auditCount(), await db.session.count(), new Date()];
    const { status, headers, body } = await sendSample();
    expect(status, JSON.stringify(body)).toBeLessThan(300);

    const token = sessionOf(headers).headers.cookie?.split("=")[1] as string;
    const session = await db.session.findUniqueOrThrow({ where: { tokenHash: hashToken(token) } });
    expect(session).toMatchObject({ userId: body.user.id, method: expected.method });
    expect(session.secondFactorAt !== null).toBe(expected.secondFactor);
    expect(Math.floor(session.expiresAt.getTime() / 1000)).toBe(body.exp);
    expect(await db.session.count()).toBe(sessions + 1);

    const { lastSignInAt } = await db.user.findUniqueOrThrow({ where: { id: body.user.id } });
    expect(lastSignInAt?.getTime()).toBeGreaterThanOrEqual(begun.getTime());
    expect(lastSignInAt).toEqual(session.createdAt);
    expect(await db.user.count({ where: { lastSignInAt: { not: null } } })).toBe(1);

    expect(await auditCount()).toBe(records + 1);
    const record = await db.auditRecord.findFirstOrThrow({ orderBy: { id: "desc" } });
    const { table, action } = (operation as typeof emailLogin).audit;
    expect(record).toMatchObject({ table, action, userId: body.user.id });
  },
);
