import { beforeAll, describe, expect, it } from "vitest";
import { inTurn, MAX_CALLS_AT_ONCE, MAX_WAITING_CALLS } from "@/lib/auth/turns";
import { db } from "@/lib/db/client";
import { lockRow } from "@/lib/db/locks";
import { ApiError } from "@/lib/kernel/errors";
import { readReadiness } from "@/lib/server/readiness";
import { ANONYMOUS, aSession, aUser, cookieHeaders, send, sendRaw, type TestUser } from "@/lib/testing/console";
import { LONG_TRANSACTION, untilWaitingForLocks } from "@/lib/testing/locks";
import { setUpTestDatabase } from "@/scripts/test-database";
import { operations } from "./operations";

// The calls of one caller wait for each other, and nobody else waits for them.

setUpTestDatabase();

let flooding: TestUser;
let other: TestUser;

beforeAll(async () => {
  [flooding, other] = [await aUser(), await aUser()];
});

const changeNames = (user: { headers: Record<string, string> }) =>
  send(operations["auth/update-user-profile"], user, { firstNames: "Grace", lastNames: "Hopper" });

/** A request of a network, with a session or without one. */
const requestOf = (ip: string, headers: Record<string, string> = {}) => ({
  ip,
  headers: new Headers(headers),
  signal: new AbortController().signal,
});

describe("a user whose changes wait for each other", () => {
  it("has four calls at a time, from all sessions; everybody else, sign-ins and the readiness check are answered beside them", async () => {
    const second = { headers: cookieHeaders((await aSession(flooding.userId)).token) };
    // The caller of both sessions is known from the first call on.
    await Promise.all([changeNames(flooding), changeNames(second)]);
    const changes = await db.$transaction(async (tx) => {
      await lockRow(tx, "User", flooding.userId);
      const begun = Array.from({ length: 60 }, (_, index) => changeNames(index % 2 === 0 ? flooding : second));
      await untilWaitingForLocks(MAX_CALLS_AT_ONCE);
      expect((await changeNames(other)).status).toBe(200);
      expect((await send(operations["auth/get-user-profile"], other)).status).toBe(200);
      expect((await send(operations["config/get-public-key"], ANONYMOUS)).status).toBe(200);
      expect(JSON.parse((await readReadiness()).body as string).checks.database).toBe(true);
      await untilWaitingForLocks(MAX_CALLS_AT_ONCE);
      return { begun };
    }, LONG_TRANSACTION);
    const statuses = (await Promise.all(changes.begun)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it("reads and changes something else while files of theirs arrive", async () => {
    const admin = await aUser({ admin: true });
    const asked = Array.from({ length: 2 * MAX_CALLS_AT_ONCE }, () => Promise.withResolvers<void>());
    const finish = Promise.withResolvers<void>();
    const arriving = asked.map(async ({ resolve }) => {
      const { body } = await send(operations["files/create-upload"], admin, { name: "Acme.ipa", size: 10 });
      const arrivesLater = {
        async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
          resolve();
          await finish.promise;
          controller.enqueue(new Uint8Array(10));
          controller.close();
        },
      };
      const bytes = new ReadableStream<Uint8Array>(arrivesLater, { highWaterMark: 0 });
      return sendRaw(operations["files/upload-part"], admin, { uploadId: body.uploadId, number: 1 }, { body: bytes });
    });
    await Promise.all(asked.map(({ promise }) => promise));
    expect((await changeNames(admin)).status).toBe(200);
    finish.resolve();
    expect((await Promise.all(arriving)).map(({ status }) => status)).toEqual(asked.map(() => 200));
  });
});

describe("a caller with as many waiting calls as one may have", () => {
  it("is told so with 429, and nobody else is", async () => {
    const end = Promise.withResolvers<void>();
    const begin = (ip: string, headers?: Record<string, string>) => inTurn(requestOf(ip, headers), () => end.promise);
    // Made-up sessions and all networks of a /48 are one caller.
    const calls = Array.from({ length: MAX_CALLS_AT_ONCE + MAX_WAITING_CALLS }, (_, index) =>
      begin(`2001:db8:1:${index.toString(16)}::1`, { authorization: `Bearer ${"a".repeat(40)}${index}` }),
    );
    const refused = await begin("2001:db8:1:ffff::1").catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ApiError);
    expect(refused).toMatchObject({ code: "rate_limited", status: 429, retryAfter: 5 });
    expect(await inTurn(requestOf("2001:db8:2::1"), async () => "answered")).toBe("answered");
    end.resolve();
    await Promise.all(calls);
    expect(await inTurn(requestOf("2001:db8:1:ffff::1"), async () => "answered")).toBe("answered");
  });
});
