import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { deleteTestingDeploy } from "@/lib/features/releases/operations/delete-testing-deploy";
import { restoreRelease } from "@/lib/features/retention/operations/restore-release";
import { newId } from "@/lib/kernel/ids";
import { type Answer, anApp, aToken, aUser, type Caller, send, type TestUser } from "@/lib/testing/console";
import { beforeHandler } from "@/lib/testing/overtake";
import { anApk, anIpa, aRelease, publish } from "@/lib/testing/releases";
import { setUpTestDatabase } from "@/scripts/test-database";
import { answerBisect } from "./operations/answer-bisect";
import { deleteBisect } from "./operations/delete-bisect";
import { getBisect } from "./operations/get-bisect";
import { getOwnBisects } from "./operations/get-own-bisects";
import { startBisect } from "./operations/start-bisect";
import { MAX_OWN_BISECTS } from "./schema";

setUpTestDatabase();

let admin: TestUser;
beforeAll(async () => {
  admin = await aUser({ admin: true });
});

type Body = Answer["body"];

async function aPlace() {
  const { appId, identifier, environmentIds } = await anApp();
  return { appId, identifier, environmentId: environmentIds[0] as string };
}

/** Publishes builds 1 to `count`, each with notes and a commit. */
async function builds(place: { identifier: string; environmentId: string }, count: number): Promise<Body[]> {
  const made: Body[] = [];
  for (let build = 1; build <= count; build += 1) {
    const bytes = anIpa(place.identifier, { version: "1.0", build: String(build) });
    const { environmentId } = place;
    const fields = { environmentId, description: `Notes of ${build}`, "metadata[gitCommit]": `c0ffee${build}` };
    made.push((await publish(admin, bytes, "Example.ipa", fields)).body);
  }
  return made;
}

/** Starts a bisection from the first to the last of some builds. */
async function started(releases: Body[], caller: Caller = admin): Promise<Body> {
  const [good, bad] = [releases[0], releases.at(-1)];
  const input = { goodId: good.id, badId: bad.id, environmentId: good.environment.id };
  const { status, body } = await send(startBisect, caller, input);
  expect([status, body.code]).toEqual([201, undefined]);
  return body;
}

const answer = (id: string, given: string, more: object = {}, caller: Caller = admin) =>
  send(answerBisect, caller, { id, answer: given, ...more });

describe("a bisection", () => {
  it("ends with the first bad build, its notes, its commit and where the difference to the one before is read", async () => {
    const releases = await builds(await aPlace(), 10);
    let body = await started(releases);
    expect(body).toMatchObject({ remaining: 8, stepsLeft: 4, done: false, firstBad: null, lastGood: null, diff: null });
    let steps = 0;
    while (!body.done) {
      const given = Number(body.next.buildNumber) < 7 ? "good" : "bad";
      const answered = await answer(body.id, given, { releaseId: body.next.id });
      expect(answered.status).toBe(200);
      body = answered.body;
      steps += 1;
    }
    expect(steps).toBeLessThanOrEqual(4);
    const [lastGood, firstBad] = [releases[5], releases[6]];
    expect(body).toMatchObject({
      next: null,
      remaining: 0,
      stepsLeft: 0,
      answers: steps,
      suspects: [],
      lastGood: { id: lastGood.id, buildNumber: "6", commit: "c0ffee6" },
      firstBad: { id: firstBad.id, commit: "c0ffee7", description: "Notes of 7", deleted: false },
      diff: { from: lastGood.id, to: firstBad.id },
    });
    expect(new URL(body.diff.url).pathname).toBe("/api/apps/get-release-diff");
    expect((await send(getBisect, admin, { id: body.id })).body).toEqual(body);
    const late = await answer(body.id, "good");
    expect([late.status, late.body.code]).toEqual([409, "conflict"]);
    const { items } = (await send(getOwnBisects, admin)).body;
    expect(items[0]).toMatchObject({ id: body.id, done: true, remaining: 0, bad: { id: firstBad.id, deleted: false } });
  });

  it("takes its last answer back, one after the other and after the end, and no other", async () => {
    const releases = await builds(await aPlace(), 5);
    const begun = await started(releases);
    expect(begun.last).toBeNull();
    const nothing = await answer(begun.id, "undo");
    expect([nothing.status, nothing.body.code]).toEqual([409, "conflict"]);
    const states = [begun];
    let body = begun;
    while (!body.done) {
      const tried = body.next.id;
      body = (await answer(body.id, states.length === 1 ? "skip" : "bad")).body;
      expect(body.last).toMatchObject({ id: tried, answer: states.length === 1 ? "skip" : "bad", deleted: false });
      states.push(body);
    }
    const wrong = await answer(body.id, "undo", { releaseId: releases[0].id });
    expect([wrong.status, wrong.body.code]).toEqual([409, "conflict"]);
    for (const before of states.slice(0, -1).reverse()) {
      const { last } = body;
      body = (await answer(body.id, "undo", { releaseId: last.id })).body;
      expect(body).toEqual({ ...before, updatedAt: body.updatedAt });
    }
    expect((await answer(body.id, "good")).status).toBe(200);
  });

  it("is over at once between neighbours, and takes the files of a build as one", async () => {
    const place = await aPlace();
    const releases = await builds(place, 3);
    await aRelease(admin, place, { version: "1.0", build: "2" });
    await aRelease(admin, place, { version: "1.0", build: "4" });
    const bad = await aRelease(admin, place, { version: "1.0", build: "5" });
    expect((await started([releases[0], bad])).remaining).toBe(3);
    const { done, firstBad } = await started(releases.slice(1, 3));
    expect([done, firstBad.id]).toEqual([true, releases[2].id]);
  });

  it("is refused for ends between which no fault can have come", async () => {
    const place = await aPlace();
    const { environmentId, appId } = place;
    const [first, second, third] = await builds(place, 3);
    const again = await aRelease(admin, place, { version: "1.0", build: "1" });
    const apk = (await publish(admin, await anApk(place.identifier), "a.apk", { environmentId })).body;
    await db.environment.update({ where: { id: environmentId }, data: { identifiers: ["com.example.other"] } });
    const other = await aRelease(admin, { ...place, identifier: "com.example.other" });
    const elsewhere = await db.environment.create({ data: { id: newId(), appId, name: "Elsewhere" } });
    const foreign = await aRelease(admin, { ...place, environmentId: elsewhere.id });
    await send(deleteTestingDeploy, admin, { id: third.id });
    const problem = async (goodId: string, badId: string) => {
      const { status, body } = await send(startBisect, admin, { goodId, badId, environmentId });
      return [status, ...body.errors.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`)];
    };
    expect(await problem(second.id, first.id)).toEqual([422, "goodId bisectOrder"]);
    expect(await problem(first.id, first.id)).toEqual([422, "badId bisectSame"]);
    expect(await problem(first.id, again.id)).toEqual([422, "badId bisectSame"]);
    expect(await problem(first.id, apk.id)).toEqual([422, "badId bisectPlatform"]);
    expect(await problem(first.id, other.id)).toEqual([422, "badId bisectIdentifier"]);
    for (const id of [foreign.id, third.id, newId()]) {
      expect(await problem(first.id, id)).toEqual([422, "badId bisectRelease"]);
      expect(await problem(id, second.id)).toEqual([422, "goodId bisectRelease"]);
    }
    const unknown = await send(startBisect, admin, { goodId: first.id, badId: second.id, environmentId: newId() });
    expect(unknown.status).toBe(404);
  });

  it("leaves out builds that were deleted since the start, names its ends after their deletion, and takes restored ones back", async () => {
    const releases = await builds(await aPlace(), 8);
    const { id, next } = await started(releases);
    await send(deleteTestingDeploy, admin, { id: next.id });
    const without = (await send(getBisect, admin, { id })).body;
    expect(without).toMatchObject({ deleted: 1, remaining: 5 });
    expect(without.next.id).not.toBe(next.id);
    expect((await answer(id, "bad", { releaseId: next.id })).status).toBe(409);
    await send(restoreRelease, admin, { id: next.id });
    expect((await send(getBisect, admin, { id })).body).toMatchObject({
      deleted: 0,
      remaining: 6,
      next: { id: next.id },
    });
    for (const release of releases) await send(deleteTestingDeploy, admin, { id: release.id });
    const { body } = await send(getBisect, admin, { id });
    expect(body).toMatchObject({
      done: true,
      next: null,
      deleted: 6,
      lastGood: { buildNumber: "1", deleted: true },
      firstBad: { id: releases[7].id, version: "1.0", buildNumber: "8", deleted: true, description: null },
      diff: null,
    });
    expect((await answer(id, "good")).status).toBe(409);
    const listed = (await send(getOwnBisects, admin)).body.items.find((item: Body) => item.id === id);
    expect(listed.good).toMatchObject({ buildNumber: "1", deleted: true });
  });

  it("ends with the range that remains if all builds were skipped", async () => {
    const releases = await builds(await aPlace(), 4);
    let body = await started(releases);
    for (let step = 0; step < 2; step += 1) body = (await answer(body.id, "skip")).body;
    expect(body).toMatchObject({ done: true, remaining: 2, skipped: 2, firstBad: null, lastGood: null, stepsLeft: 0 });
    expect(body.suspects.map((release: Body) => release.id)).toEqual(releases.slice(1).map(({ id }) => id));
    expect(body.diff).toMatchObject({ from: releases[0].id, to: releases[3].id });
    expect((await answer(body.id, "good")).status).toBe(409);
  });

  it("takes one of two answers at once, and one about any build that is left", async () => {
    const releases = await builds(await aPlace(), 9);
    const { id, next } = await started(releases);
    const more = { releaseId: next.id };
    const answers = await Promise.all(["good", "bad", "skip"].map((given) => answer(id, given, more)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect((await answer(id, "good", { releaseId: next.id })).status).toBe(409);
    const { body } = await send(getBisect, admin, { id });
    expect(body.answers).toBe(1);
    // Without the release, it is an answer about the build that was the next one when the call began.
    beforeHandler(answerBisect, async () => {
      await answer(id, "skip");
    });
    expect((await answer(id, "good")).status).toBe(409);
    expect((await send(getBisect, admin, { id })).body.answers).toBe(2);
    const second = await started(releases);
    const other = await answer(second.id, "bad", { releaseId: releases[1].id });
    expect([other.status, other.body.done, other.body.firstBad.id]).toEqual([200, true, releases[1].id]);
    for (const releaseId of [releases[0].id, releases[8].id, newId()]) {
      expect((await answer(id, "good", { releaseId })).status).toBe(409);
    }
  });

  it("is its owner’s alone, as long as they may read the releases", async () => {
    const place = await aPlace();
    const { appId, environmentId } = place;
    const releases = await builds(place, 3);
    const grant = { scopes: ["release:read" as const], apps: [{ appId }] };
    const [reader, other] = [await aUser({ grants: [grant] }), await aUser({ grants: [grant] })];
    const token = await aToken({ appId, environmentId, scopes: ["release:read"] });
    const { id } = await started(releases, reader);
    const ofToken = await started(releases, token);
    const operations = [getBisect, deleteBisect];
    for (const [caller, foreign] of [
      [other, id],
      [admin, id],
      [token, id],
      [reader, ofToken.id],
    ] as const) {
      for (const operation of operations) expect((await send(operation, caller, { id: foreign })).status).toBe(404);
      expect((await answer(foreign, "good", {}, caller)).status).toBe(404);
    }
    expect((await send(getOwnBisects, token)).body.items.map((item: Body) => item.id)).toEqual([ofToken.id]);
    expect((await send(getOwnBisects, reader)).body).toMatchObject({ total: 1, items: [{ id }] });
    await db.rolePermission.updateMany({
      where: { role: { users: { some: { id: reader.userId } } } },
      data: { scopes: ["variable:read"] },
    });
    expect((await send(getBisect, reader, { id })).status).toBe(403);
    expect((await send(getOwnBisects, reader)).status).toBe(403);
    expect((await answer(ofToken.id, "bad", {}, token)).body.firstBad.id).toBe(releases[1].id);
    expect((await send(deleteBisect, token, { id: ofToken.id })).status).toBe(204);
    expect((await send(getBisect, token, { id: ofToken.id })).status).toBe(404);
  });

  it("is not listed where its owner may no longer read, and is deleted with its environment and its owner", async () => {
    const [place, kept] = [await aPlace(), await aPlace()];
    const releases = await builds(place, 2);
    const grant = { scopes: ["release:read" as const] };
    const reader = await aUser({ grants: [{ ...grant, apps: [{ appId: place.appId }] }] });
    const { id } = await started(releases, reader);
    await db.rolePermissionTarget.updateMany({ where: { appId: place.appId }, data: { appId: kept.appId } });
    expect((await send(getOwnBisects, reader)).body).toMatchObject({ items: [], total: 0 });
    expect((await send(getBisect, reader, { id })).status).toBe(404);
    const ofAdmin = await started(releases);
    await db.user.delete({ where: { id: reader.userId } });
    expect(await db.bisect.count({ where: { id } })).toBe(0);
    await db.environment.delete({ where: { id: place.environmentId } });
    expect(await db.bisect.count({ where: { id: ofAdmin.id } })).toBe(0);
  });

  it("is one of at most 100 of a user", async () => {
    const releases = await builds(await aPlace(), 2);
    const owner = await aUser({ admin: true });
    const { id } = await started(releases, owner);
    const { id: _, ...row } = await db.bisect.findUniqueOrThrow({ where: { id } });
    const rows = Array.from({ length: MAX_OWN_BISECTS - 1 }, () => ({
      ...row,
      id: newId(),
      answers: row.answers as object,
    }));
    await db.bisect.createMany({ data: rows });
    const input = { goodId: releases[0].id, badId: releases[1].id, environmentId: releases[0].environment.id };
    const { status, body } = await send(startBisect, owner, input);
    expect([status, body.code]).toEqual([409, "conflict"]);
    const page = (await send(getOwnBisects, owner, { limit: 60 })).body;
    const rest = (await send(getOwnBisects, owner, { limit: 60, cursor: page.nextCursor })).body;
    const ids = [...page.items, ...rest.items].map((item: Body) => item.id);
    expect([page.total, new Set(ids).size, rest.nextCursor]).toEqual([100, 100, null]);
  });
});
