import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ensureServerKeys } from "@/lib/auth/server-keys";
import { db } from "@/lib/db/client";
import { getAppActivity } from "@/lib/features/dashboard/operations/get-app-activity";
import { deleteTestingDeploy } from "@/lib/features/releases/operations/delete-testing-deploy";
import { downloadTestingDeployAppleFile } from "@/lib/features/releases/operations/download-testing-deploy-apple-file";
import { downloadTestingDeployByToken } from "@/lib/features/releases/operations/download-testing-deploy-by-token";
import { downloadTestingDeployFile } from "@/lib/features/releases/operations/download-testing-deploy-file";
import { generateAppleManifestRequestToken } from "@/lib/features/releases/operations/generate-apple-manifest-request-token";
import { recordTestingDeployOpening } from "@/lib/features/releases/operations/record-testing-deploy-opening";
import { restoreRelease } from "@/lib/features/retention/operations/restore-release";
import { beginShareLinkInstall } from "@/lib/features/share-links/operations/begin-share-link-install";
import { openShareLink } from "@/lib/features/share-links/operations/open-share-link";
import { handleShareLinks } from "@/lib/features/share-links/routes";
import { REMOTE_ADDRESS_HEADER } from "@/lib/http/request-facts";
import type { RouteRequest } from "@/lib/http/routes";
import { newId } from "@/lib/kernel/ids";
import { DAY_MS } from "@/lib/kernel/time";
import { ANONYMOUS, anApp, aToken, aUser, send, sendRaw, type TestUser } from "@/lib/testing/console";
import { awayFromMidnight } from "@/lib/testing/midnight";
import { anApk, anIpa, publish } from "@/lib/testing/releases";
import { aShareLink } from "@/lib/testing/share-links";
import { forgetVisits, writeVisits } from "@/lib/visits/data";
import { FLUSH_INTERVAL_MS, flushVisits } from "@/lib/visits/record";
import { stepsUpTo, type VisitChange } from "@/lib/visits/state";
import { namedVisitor } from "@/lib/visits/visitor";
import { setUpTestDatabase } from "@/scripts/test-database";
import { getInstallFunnel } from "./operations/get-install-funnel";
import { getReleasePeople } from "./operations/get-release-people";

setUpTestDatabase();

const IPHONE = {
  "user-agent":
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
};
const ANDROID = {
  "user-agent":
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
};
const INSTALLER = { "user-agent": "com.apple.appstored/1.0 iOS/17.5.1 model/iPhone15,2 hwp/t8120 build/21F90" };

let admin: TestUser;
let tester: TestUser;
let place: { appId: string; identifier: string; environmentId: string };

beforeAll(async () => {
  await ensureServerKeys();
  admin = await aUser({ admin: true });
  const app = await anApp();
  place = { appId: app.appId, identifier: app.identifier, environmentId: app.environmentIds[0] as string };
  const apps = [{ appId: app.appId }];
  tester = await aUser({ grants: [{ scopes: ["release:read", "release:download"], apps }] });
});

async function anIpaRelease(): Promise<{ id: string; size: number }> {
  const bytes = anIpa(place.identifier, { fillerBytes: 200_000 });
  const { body } = await publish(admin, bytes, "Acme.ipa", { environmentId: place.environmentId });
  return { id: body.id, size: bytes.length };
}

async function anApkRelease(): Promise<{ id: string; size: number }> {
  const bytes = await anApk(place.identifier);
  const { body } = await publish(admin, bytes, "app.apk", { environmentId: place.environmentId });
  return { id: body.id, size: bytes.length };
}

async function funnel(input: Record<string, string>, sender = admin) {
  const answer = await send(getInstallFunnel, sender, input);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

async function stepsOf(input: Record<string, string>): Promise<Record<string, number>> {
  const { steps } = await funnel(input);
  return Object.fromEntries(steps.map(({ step, count }: { step: string; count: number }) => [step, count]));
}

const open = (id: string, sender = tester, device = "ios") =>
  send(
    recordTestingDeployOpening,
    sender,
    { id, device, osVersion: device === "ios" ? "17.5" : undefined },
    { headers: IPHONE },
  );

async function tap(id: string, sender = tester): Promise<string> {
  const answer = await send(generateAppleManifestRequestToken, sender, { id }, { headers: IPHONE });
  return answer.body.token;
}

/** What the installer of iOS fetches. */
async function fetchPart(token: string, part: string, range?: string): Promise<void> {
  const headers = { ...INSTALLER, ...(range && { range: `bytes=${range}` }) };
  const response = await sendRaw(downloadTestingDeployAppleFile, ANONYMOUS, { token, part }, { headers });
  expect([200, 206]).toContain(response.status);
  await response.arrayBuffer();
}

describe("the steps of an installation", () => {
  it("stand once each for a user who opens, taps, loses the connection, resumes and completes", async () => {
    const { id, size } = await anIpaRelease();
    const half = Math.floor(size / 2);
    await open(id);
    expect(await stepsOf({ releaseId: id })).toEqual({
      opened: 1,
      tapped: 0,
      manifest: 0,
      begun: 0,
      complete: 0,
      icons: 0,
    });
    const token = await tap(id);
    await fetchPart(token, "manifest");
    await fetchPart(token, "ipa", `0-${half}`);
    const between = await funnel({ releaseId: id });
    expect(between.byDay).toMatchObject([{ opened: 1, tapped: 1, manifest: 1, begun: 1, complete: 0, icons: 0 }]);
    expect(between.stoppedAt).toMatchObject([{ step: "begun", count: 1 }]);

    // Again from the page, with a new link; some bytes come twice.
    await open(id);
    const again = await tap(id);
    await fetchPart(again, "manifest");
    await fetchPart(again, "ipa", `${half - 10}-${half + 10}`);
    await fetchPart(again, "ipa", `${half}-`);
    await fetchPart(again, "icon");
    await fetchPart(again, "icon-large");
    await fetchPart(again, "ipa");
    const done = await funnel({ releaseId: id });
    expect(done.steps.map(({ count }: { count: number }) => count)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(done.byOs).toEqual([
      { os: "ios", version: "17", opened: 1, tapped: 1, manifest: 1, begun: 1, complete: 1, icons: 1 },
    ]);
    expect(done.byDevice).toMatchObject([{ device: "iPhone15,2", name: "iPhone 14 Pro", complete: 1 }]);
    expect(done.stoppedAt).toEqual([]);
  });

  it("stand once each for a visitor of a share link, of whom nothing is kept but the device", async () => {
    const { id, size } = await anApkRelease();
    const { code } = await aShareLink(admin, { releaseId: id });
    await send(openShareLink, ANONYMOUS, { code }, { headers: ANDROID });
    const begun = await send(beginShareLinkInstall, ANONYMOUS, { code }, { headers: ANDROID });
    const token = new URL(begun.body.url).searchParams.get("token") as string;
    const get = async (range: string) => {
      const headers = { ...ANDROID, range: `bytes=${range}` };
      const response = await sendRaw(downloadTestingDeployByToken, ANONYMOUS, { token }, { headers });
      await response.arrayBuffer();
    };
    await get("0-99");
    expect(await stepsOf({ releaseId: id })).toEqual({ opened: 1, tapped: 1, begun: 1, complete: 0 });
    await get(`${size - 50}-`);
    await get("50-");
    expect(await stepsOf({ releaseId: id })).toEqual({ opened: 1, tapped: 1, begun: 1, complete: 1 });
    const [visit] = await db.installVisit.findMany({ where: { releaseId: id } });
    expect(visit).toMatchObject({ userId: null, os: "android", model: null, ranges: [] });
  });

  it("of visitors of a share link are apart by their address and browser, without a cookie, and go on with the button", async () => {
    const { id } = await anApkRelease();
    const { code } = await aShareLink(admin, { releaseId: id });
    const call = (path: string, address: string, method = "GET") => {
      const headers = { ...ANDROID, [REMOTE_ADDRESS_HEADER]: address };
      return handleShareLinks(
        new Request(`http://localhost:3000/i/${code}${path}`, { method, headers }) as RouteRequest,
      );
    };
    const page = await call("", "192.0.2.1");
    expect(page.headers.get("set-cookie")).toBeNull();
    const action = /action="\/i\/[^/]+(\/install\?visit=[0-9a-f-]{36})"/.exec(String(page.body))?.[1] as string;
    await call("", "192.0.2.1");
    await call("", "192.0.2.2");
    // The phone has left the Wi-Fi.
    await call(action, "198.51.100.9", "POST");
    expect(await stepsOf({ releaseId: id })).toMatchObject({ opened: 2, tapped: 1 });
  });

  it("cannot be recorded for somebody else with a number that names them", async () => {
    const { id } = await anApkRelease();
    const { code } = await aShareLink(admin, { releaseId: id });
    const url = `http://localhost:3000/i/${code}/install?visit=${tester.userId}`;
    await handleShareLinks(new Request(url, { method: "POST", headers: ANDROID }) as RouteRequest);
    await flushVisits();
    const visits = await db.installVisit.findMany({ where: { releaseId: id } });
    expect(visits).toHaveLength(1);
    expect(visits[0]).toMatchObject({ userId: null });
    expect(visits[0]?.visitorId).not.toBe(tester.userId);
  });

  it("count a publisher on a phone and not at the desk, and no program", async () => {
    const { id } = await anApkRelease();
    await open(id, admin, "desktop");
    expect(await stepsOf({ releaseId: id })).toMatchObject({ opened: 0 });
    const token = await aToken({ ...place, scopes: ["release:download", "release:read"] });
    await (await sendRaw(downloadTestingDeployFile, token, { id })).arrayBuffer();
    expect(await stepsOf({ releaseId: id })).toMatchObject({ opened: 0, begun: 0 });
    await open(id, admin, "android");
    expect(await stepsOf({ releaseId: id })).toMatchObject({ opened: 1 });
  });
});

describe("the counts of a place", () => {
  beforeEach(awayFromMidnight);

  it("are the sums of its releases, by the day on which visits began", async () => {
    const app = await anApp();
    const environmentId = app.environmentIds[0] as string;
    const ids: string[] = [];
    for (let index = 0; index < 2; index += 1) {
      const { body } = await publish(admin, await anApk(app.identifier), "app.apk", { environmentId });
      ids.push(body.id);
    }
    const people = await Promise.all(
      Array.from({ length: 3 }, () => aUser({ grants: [{ scopes: ["release:read", "release:download"] }] })),
    );
    for (const id of ids) for (const person of people) await open(id, person, "android");
    await (await sendRaw(downloadTestingDeployFile, people[0] as TestUser, { id: ids[0] as string })).arrayBuffer();
    await flushVisits();
    await flushVisits();
    expect(await stepsOf({ releaseId: ids[0] as string })).toEqual({ opened: 3, tapped: 1, begun: 1, complete: 1 });
    expect(await stepsOf({ environmentId })).toMatchObject({ opened: 6, tapped: 1, begun: 1, complete: 1 });
    expect(await stepsOf({ appId: app.appId })).toMatchObject({ opened: 6, complete: 1 });
    const { byDay, byOs, stoppedAt } = await funnel({ environmentId });
    const total = (rows: { opened: number }[]) => rows.reduce((sum, { opened }) => sum + opened, 0);
    expect([total(byDay), total(byOs)]).toEqual([6, 6]);
    expect(stoppedAt.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(5);
    // The totals of all days are the sums of the days.
    expect(await funnel({ environmentId, from: "2020-01-01" })).toEqual(await funnel({ environmentId }));
    const tomorrow = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
    expect(await stepsOf({ environmentId, from: tomorrow })).toMatchObject({ opened: 0 });

    // The plots of the application have the same visits, however often a file was downloaded.
    const file = await sendRaw(downloadTestingDeployFile, people[0] as TestUser, { id: ids[0] as string });
    await file.arrayBuffer();
    const { body: activity } = await send(getAppActivity, admin, { appId: app.appId });
    expect(activity.days.at(-1)).toMatchObject({ installs: 0, latestInstalls: 0, downloads: 1 });
    expect(activity.systems).toMatchObject([{ device: "android", openings: 6 }]);

    // A release in the bin keeps its counts, and the environment's stay.
    await send(deleteTestingDeploy, admin, { id: ids[0] as string });
    expect(await stepsOf({ environmentId })).toMatchObject({ opened: 6 });
    expect((await send(restoreRelease, admin, { id: ids[0] as string })).status).toBe(200);
    expect(await stepsOf({ releaseId: ids[0] as string })).toEqual({ opened: 3, tapped: 1, begun: 1, complete: 1 });
  });

  it("of a period are the sums of its days, whether it leaves out many of them or few", async () => {
    const { id } = await anIpaRelease();
    const start = Date.now() - 22 * DAY_MS;
    const on = (day: number) => new Date(start + day * DAY_MS);
    const visits = Array.from({ length: 40 }, (_, index): VisitChange => {
      const device = {
        os: index % 3 ? "ios" : "ipados",
        osVersion: `${15 + (index % 4)}.1`,
        model: `iPhone${index % 5},1`,
      } as const;
      const steps = stepsUpTo(index % 2 ? "complete" : "opened", true);
      return { releaseId: id, visitor: namedVisitor(newId()), at: on(1 + (index % 10)), steps, device };
    });
    await writeVisits(visits);
    const iso = (day: number) => on(day).toISOString().slice(0, 10);
    for (const [first, last] of [
      [1, 10],
      [2, 10],
      [1, 8],
      [3, 9],
      [5, 6],
      [9, 20],
      [11, 20],
    ] as const) {
      const found = await funnel({ releaseId: id, from: iso(first), to: iso(last) });
      const expected = visits.filter(({ at }) => at >= on(first) && at <= on(last));
      const complete = expected.filter(({ steps }) => steps.includes("complete")).length;
      const sum = (rows: { opened: number; complete: number }[]) => [
        rows.reduce((all, { opened }) => all + opened, 0),
        rows.reduce((all, row) => all + row.complete, 0),
      ];
      const { byDay, byOs, byDevice, steps } = found;
      expect([byDay, byOs, byDevice].map(sum), `${first} to ${last}`).toEqual(
        Array.from({ length: 3 }, () => [expected.length, complete]),
      );
      expect(steps[0]).toEqual({ step: "opened", count: expected.length });
      const systems = new Set(expected.map(({ device }) => `${device?.os} ${device?.osVersion?.slice(0, 2)}`));
      expect(new Set(byOs.map(({ os, version }: { os: string; version: string }) => `${os} ${version}`))).toEqual(
        systems,
      );
      expect(byDevice.map(({ device }: { device: string }) => device).sort()).toEqual(
        [...new Set(expected.map(({ device }) => device?.model))].sort(),
      );
    }
  });

  it("are written by themselves within a second, and once where a write has failed", async () => {
    const { id } = await anApkRelease();
    expect(FLUSH_INTERVAL_MS).toBeLessThan(1_000);
    await open(id, tester, "android");
    await expect.poll(() => db.installVisit.count({ where: { releaseId: id } })).toBe(1);
    await db.$executeRaw`ALTER TABLE "InstallStop" RENAME TO "Away"`;
    await (await sendRaw(downloadTestingDeployFile, tester, { id })).arrayBuffer();
    await expect(flushVisits()).rejects.toThrow("InstallStop");
    await db.$executeRaw`ALTER TABLE "Away" RENAME TO "InstallStop"`;
    expect(await stepsOf({ releaseId: id })).toEqual({ opened: 1, tapped: 1, begun: 1, complete: 1 });
  });

  it("are told as CSV, and only to those who may read the release", async () => {
    const { id } = await anApkRelease();
    await open(id, tester, "android");
    await flushVisits();
    const csv = await (await sendRaw(getInstallFunnel, tester, { releaseId: id, format: "csv" })).text();
    expect(csv.split("\r\n")[0]).toBe("day,os,version,device,opened,tapped,manifest,begun,complete,icons");
    expect(csv.split("\r\n")[1]).toMatch(/^"\d{4}-\d\d-\d\d","android","","",1,0,0,0,0,0$/);
    const reversed = { releaseId: id, from: "2026-11-02", to: "2026-11-01" };
    for (const format of ["json", "csv"]) {
      const refused = await send(getInstallFunnel, tester, { ...reversed, format });
      expect(refused.status).toBe(422);
      expect(refused.body.errors).toMatchObject([{ path: "to", code: "invalid" }]);
    }
    const stranger = await aUser({});
    expect((await send(getInstallFunnel, stranger, { releaseId: id })).status).toBe(404);
    expect((await send(getInstallFunnel, admin, {})).status).toBe(422);
    expect((await send(getInstallFunnel, admin, { releaseId: id, environmentId: place.environmentId })).status).toBe(
      422,
    );
  });

  it("stay when visits of people without an account are forgotten", async () => {
    const { id } = await anApkRelease();
    const { code } = await aShareLink(admin, { releaseId: id });
    await send(openShareLink, ANONYMOUS, { code }, { headers: ANDROID });
    await open(id, tester, "android");
    await flushVisits();
    await db.installVisit.updateMany({
      where: { releaseId: id },
      data: { lastAt: new Date(Date.now() - 40 * DAY_MS) },
    });
    expect(await forgetVisits(db, new Date(Date.now() - 30 * DAY_MS))).toBe(1);
    expect(await db.installVisit.count({ where: { releaseId: id } })).toBe(1);
    expect(await stepsOf({ releaseId: id })).toMatchObject({ opened: 2 });
  });
});

describe("the people of a release", () => {
  it("are those who have it and those who stopped, with where and why, page by page", async () => {
    const { id, size } = await anIpaRelease();
    const others = await Promise.all(
      Array.from({ length: 3 }, () => aUser({ grants: [{ scopes: ["release:read", "release:download"] }] })),
    );
    for (const person of others) {
      await open(id, person);
      await flushVisits();
    }
    const token = await tap(id, others[0]);
    await fetchPart(token, "ipa", `0-${size - 1}`);
    await open(id, others[1], "android");
    const people = await send(getReleasePeople, admin, { releaseId: id, limit: 2 });
    expect(people.status).toBe(200);
    expect(people.body.total).toBe(3);
    const rest = await send(getReleasePeople, admin, { releaseId: id, limit: 2, cursor: people.body.nextCursor });
    const all = [...people.body.items, ...rest.body.items];
    expect(new Set(all.map(({ user }) => user.id)).size).toBe(3);
    expect(all.find(({ user }) => user.id === others[0]?.userId)).toMatchObject({
      step: "complete",
      complete: true,
      codes: [],
      modelName: "iPhone 14 Pro",
      release: { id },
    });
    const stopped = () => send(getReleasePeople, admin, { releaseId: id, step: "opened" });
    expect((await stopped()).body.items).toHaveLength(2);
    // The reasons are found after the answer to the browser.
    await expect.poll(async () => (await stopped()).body.items[0].codes).not.toEqual([]);
    expect((await send(getReleasePeople, tester, { releaseId: id })).status).toBe(403);
    const found = await send(getReleasePeople, admin, { environmentId: place.environmentId, search: others[2]?.email });
    expect(found.body.items).toMatchObject([{ user: { id: others[2]?.userId }, complete: false }]);
  });

  it("are gone with their accounts; the counts stay", async () => {
    const { id } = await anApkRelease();
    const person = await aUser({ grants: [{ scopes: ["release:read"] }] });
    await open(id, person, "android");
    await flushVisits();
    await db.user.delete({ where: { id: person.userId } });
    expect((await send(getReleasePeople, admin, { releaseId: id })).body.items).toEqual([]);
    expect(await stepsOf({ releaseId: id })).toMatchObject({ opened: 1 });
  });
});
