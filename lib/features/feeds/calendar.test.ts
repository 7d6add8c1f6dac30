import ICAL from "ical.js";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { DAY_MS } from "@/lib/kernel/time";
import { ANONYMOUS, anApp, aUser, grantTo, send, sendRaw, type TestUser } from "@/lib/testing/console";
import { awayFromMidnight } from "@/lib/testing/midnight";
import { aRelease } from "@/lib/testing/releases";
import { withTwoFactor } from "@/lib/testing/two-factor";
import { setUpTestDatabase } from "@/scripts/test-database";
import { expiryCalendar } from "./internal/calendar";
import { createCalendarFeed } from "./operations/create-calendar-feed";
import { deleteCalendarFeed } from "./operations/delete-calendar-feed";
import { downloadCalendarFeed } from "./operations/download-calendar-feed";
import { getCalendarFeed } from "./operations/get-calendar-feed";

setUpTestDatabase();

let admin: TestUser;
let app: Awaited<ReturnType<typeof anApp>>;
let environmentId: string;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);
const publish = (version: string, days: number) =>
  aRelease(admin, { identifier: app.identifier, environmentId }, { version, profile: { expires: inDays(days) } });

beforeAll(async () => {
  await awayFromMidnight();
  admin = await aUser({ admin: true });
  app = await anApp();
  environmentId = app.environmentIds[0] as string;
  await publish("1.0", 12);
  await db.secureCertificate.create({
    data: {
      ...{ id: newId(), environmentId, name: "PUSH", key: "PUSH", fileName: "a.p12", format: "pkcs12" },
      ...{ sha256: "0".repeat(64), value: Buffer.alloc(100), version: 1, updatedAt: new Date() },
      expirationDate: inDays(20),
    },
  });
});

const within = (scope: "release:read" | "secure-certificate:read") => ({
  scopes: [scope],
  apps: [{ appId: app.appId, environmentIds: [environmentId] }],
});
const newToken = async (user: TestUser) => {
  const { url, webcalUrl } = (await send(createCalendarFeed, user, {})).body;
  expect(webcalUrl).toBe(url.replace(/^https?/, "webcal"));
  return new URL(url).searchParams.get("token") as string;
};
const open = (token: string) => sendRaw(downloadCalendarFeed, ANONYMOUS, { token });

/** The events that ical.js reads. */
function eventsIn(text: string): ICAL.Event[] {
  const calendar = new ICAL.Component(ICAL.parse(text));
  expect(calendar.name).toBe("vcalendar");
  expect(calendar.getFirstPropertyValue("version")).toBe("2.0");
  return calendar.getAllSubcomponents("vevent").map((component) => new ICAL.Event(component));
}
async function eventsOf(token: string): Promise<ICAL.Event[]> {
  const response = await open(token);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/calendar; charset=utf-8"]);
  return eventsIn(await response.text());
}
const summariesOf = async (token: string) => (await eventsOf(token)).map(({ summary }) => summary);

describe("a calendar of what ends", () => {
  it("has what its owner may see at that time, as events of whole days", async () => {
    const [reader, stranger] = [await aUser({ grants: [within("release:read")] }), await aUser()];
    const [token, empty] = [await newToken(reader), await newToken(stranger)];
    const [event, ...others] = await eventsOf(token);
    expect(others).toEqual([]);
    expect(event?.startDate.isDate).toBe(true);
    expect(event?.startDate.toString()).toBe(inDays(12).toISOString().slice(0, 10));
    expect(event?.duration.toSeconds()).toBe(DAY_MS / 1000);
    expect(event?.component.getAllSubcomponents("valarm")).toHaveLength(2);
    expect(await summariesOf(empty)).toEqual([]);
    await grantTo(stranger.roleId, { scopes: ["release:read"], apps: [{ appId: app.appId }] });
    expect(await summariesOf(empty)).toEqual([event?.summary]);
    await db.user.update({ where: { id: reader.userId }, data: { status: "inactive" } });
    expect((await open(token)).status).toBe(404);
  });

  it("keeps the identity of an event when another release has a later profile", async () => {
    const token = await newToken(await aUser({ grants: [within("release:read")] }));
    const [before] = await eventsOf(token);
    await publish("1.1", 40);
    const [after] = await eventsOf(token);
    expect(after?.uid).toBe(before?.uid);
    expect(after?.startDate.toString()).toBe(inDays(40).toISOString().slice(0, 10));
  });

  it("names certificates to those alone who have a second factor", async () => {
    const holder = await aUser({ grants: [within("secure-certificate:read")] });
    const token = await newToken(holder);
    expect(await summariesOf(token)).toEqual([]);
    await withTwoFactor(holder, { passed: false });
    expect(await summariesOf(token)).toEqual([expect.stringContaining("PUSH")]);
  });

  it("opens by its latest address only, until it is ended", async () => {
    const reader = await aUser();
    const first = await newToken(reader);
    const second = await newToken(reader);
    expect((await open(first)).status).toBe(404);
    expect((await open(second)).status).toBe(200);
    const { body } = await send(getCalendarFeed, reader, {});
    expect(body).toEqual({ createdAt: expect.any(String), lastReadAt: expect.any(String) });
    expect((await send(deleteCalendarFeed, reader, {})).status).toBe(204);
    expect((await open(second)).status).toBe(404);
    expect((await open("x".repeat(43))).status).toBe(404);
    const records = await db.auditRecord.findMany({
      where: { table: "CalendarFeed", recordId: reader.userId },
      select: { changes: true },
    });
    expect(records).toHaveLength(3);
    expect(JSON.stringify(records)).not.toContain(second);
  });

  it("is read by ical.js with hostile names, in lines of at most 75 bytes", () => {
    const name = `\u0000\u0007${"é".repeat(60)}😀😀😀; a, b\\n\r\nEND:VEVENT\nBEGIN:VEVENT\u2028\ud800 "x"`;
    const item = {
      ...{ kind: "certificate" as const, id: newId(), key: `certificate:${newId()}`, name, daysLeft: 3 },
      endsAt: "2026-12-31T23:30:00.000Z",
      takesDown: { releases: 1, testers: 2, pipelines: 3 },
      app: { id: newId(), name: "A,B" },
      environment: { id: newId(), name: "C;D" },
      release: null,
    };
    const now = new Date("2026-11-26T01:02:03.456Z");
    const text = expiryCalendar([item, { ...item, key: "token:1" }], { locale: "en", console: "X\r\nY:Z", now });
    expect(text.endsWith("END:VCALENDAR\r\n")).toBe(true);
    const lines = text.split("\r\n");
    expect(lines.every((line) => Buffer.byteLength(line) <= 75 && !/[\r\n\0]/.test(line))).toBe(true);
    expect(lines.filter((line) => line.startsWith(" ")).length).toBeGreaterThan(4);
    const [event, second, ...others] = eventsIn(text);
    expect(others).toEqual([]);
    const shown = `${"é".repeat(60)}😀😀😀; a, b\\n\nEND:VEVENT\nBEGIN:VEVENT\n\ufffd "x"`;
    expect(event?.summary).toBe(`Expires: ${shown} (Certificate)`);
    expect(event?.description).toContain("A,B · C;D\nExpires (UTC): 2026-12-31 23:30");
    expect(event?.description).toContain("1 release, 2 testers, 3 pipelines");
    expect(event?.startDate.toString()).toBe("2026-12-31");
    expect(event?.endDate.toString()).toBe("2027-01-01");
    expect(event?.component.getFirstPropertyValue("dtstamp")?.toString()).toBe("2026-11-26T01:02:03Z");
    expect(second?.uid).not.toBe(event?.uid);
  });
});
