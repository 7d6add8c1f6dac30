import { expect, it } from "vitest";
import type { Operation } from "@/lib/api/operation";
import { db } from "@/lib/db/client";
import { loginWithPasskey } from "@/lib/features/passkeys/operations/login-with-passkey";
import { generatePasswordRecovery } from "@/lib/features/passwords/operations/generate-password-recovery";
import { oauthLogin } from "@/lib/features/sso/operations/oauth-login";
import { aUser, auditCount, send } from "@/lib/testing/console";
import { setUpTestDatabase } from "@/scripts/test-database";
import { makeDeviceFamiliar } from "./familiar-devices";

setUpTestDatabase();

const calls: [Operation, Record<string, unknown>][] = [
  [loginWithPasskey, {}],
  [oauthLogin, { provider: "google" }],
  [generatePasswordRecovery, { email: "nobody@example.test" }],
];

it("what anyone may call adds to the audit log up to a bound for each network, all such calls together", async () => {
  const statuses = (address: string) =>
    Promise.all(
      calls.map(async ([operation, input]) => {
        const caller = { headers: { "x-slipway-remote-address": address } };
        return (await send(operation, caller, input)).status;
      }),
    );
  const before = await auditCount();
  expect(await statuses("2001:db8:0:1::1")).toEqual([200, 409, 202]);
  expect(await auditCount()).toBe(before + 2);
  await db.rateLimit.update({ where: { key: "anonymous-records:2001:db8:0:1::/64" }, data: { points: 600 } });
  expect(await statuses("2001:db8:0:1::2")).toEqual([429, 429, 429]);
  expect(await auditCount()).toBe(before + 2);
  expect(await statuses("2001:db8:0:2::1")).toEqual([200, 409, 202]);
  await db.rateLimit.update({ where: { key: "anonymous-records-site:2001:db8:0::/48" }, data: { points: 2_400 } });
  expect(await statuses("2001:db8:0:3::1")).toEqual([429, 429, 429]);
  expect(await statuses("2001:db8:1:3::1")).toEqual([200, 409, 202]);
});

it("a familiar device has a bound of its own, which others in its network do not use up", async () => {
  const { email } = await aUser();
  const device = await db.$transaction((tx) => makeDeviceFamiliar(tx, email, new Headers()));
  const address = "2001:db8:9:1::1";
  const statuses = (cookie: string) =>
    Promise.all(
      calls.map(async ([operation, input]) => {
        const caller = { headers: { "x-slipway-remote-address": address, cookie: `slipway-device=${cookie}` } };
        return (await send(operation, caller, input)).status;
      }),
    );
  const expire = Date.now() + 60_000;
  await db.rateLimit.createMany({
    data: [
      { key: "anonymous-records:2001:db8:9:1::/64", points: 600, expire },
      { key: "anonymous-records-site:2001:db8:9::/48", points: 2_400, expire },
    ],
  });
  expect(await statuses("a".repeat(43))).toEqual([429, 429, 429]);
  expect(await statuses(device)).toEqual([200, 409, 202]);
  await db.rateLimit.updateMany({ where: { key: { startsWith: "anonymous-records:" } }, data: { points: 600 } });
  expect(await statuses(device)).toEqual([429, 429, 429]);
});
