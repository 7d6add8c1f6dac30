import { makeAab } from "@slipway/installers/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { databasePool, db } from "@/lib/db/client";
import { anApp, aToken, aUser, send, type TestUser } from "@/lib/testing/console";
import { readPages } from "@/lib/testing/lists";
import { blocksRead } from "@/lib/testing/plans";
import { anApk, anIpa, publish } from "@/lib/testing/releases";
import { rowsOf } from "@/scripts/test-amount";
import { setUpTestDatabase } from "@/scripts/test-database";
import { deleteTestingDeploy } from "./delete-testing-deploy";
import { getBuild } from "./get-build";
import { getBuilds } from "./get-builds";
import { updateTestingDeploy } from "./update-testing-deploy";

setUpTestDatabase();

const ANDROID = "019a0000-0000-7000-8000-000000000012";
const IOS = "019a0000-0000-7000-8000-000000000011";

let admin: TestUser;
beforeAll(async () => {
  admin = await aUser({ admin: true });
});

type Kind = "ipa" | "apk" | "aab";
type Place = { identifier: string; environmentId: string };

async function aPlace(): Promise<Place & { appId: string; other: string }> {
  const { appId, identifier, environmentIds } = await anApp({ environments: [{ name: "QA" }, { name: "Staging" }] });
  const [environmentId, other] = environmentIds as [string, string];
  return { appId, identifier, environmentId, other };
}

/** Publishes an installer. @returns the ID of the release */
async function add(place: Place, kind: Kind, version: string, build: string, metadata: object = {}): Promise<string> {
  const { identifier, environmentId } = place;
  const bytes = {
    ipa: () => anIpa(identifier, { version, build }),
    apk: () => anApk(identifier, { versionName: version, versionCode: Number(build) }),
    aab: () => makeAab({ identifier, versionName: version, versionCode: Number(build) }),
  };
  const fields = { environmentId, metadata: JSON.stringify(metadata) };
  const { status, body } = await publish(admin, await bytes[kind](), `App.${kind}`, fields);
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id;
}

const commit = (gitCommit: string) => ({ gitCommit });
const list = async (input: Record<string, unknown>, caller = admin) => {
  const { status, body } = await send(getBuilds, caller, input);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};
type Listed = {
  version: string;
  buildNumber: string;
  releases: { buildNumber: string; installer: { kind: string } }[];
};
const shown = ({ items }: { items: Listed[] }) =>
  items.map(({ version, releases }) =>
    [version, ...releases.map(({ buildNumber, installer }) => `${installer.kind} ${buildNumber}`)].join(" "),
  );

describe("a build", () => {
  it("has the installers of one version and build number of an environment, and adds up their figures", async () => {
    const place = await aPlace();
    const ids = [
      await add(place, "ipa", "1.0", "7"),
      await add(place, "aab", "1.0", "7"),
      await add(place, "apk", "1.0", "7"),
    ];
    await add({ ...place, environmentId: place.other }, "ipa", "1.0", "7");
    await add(place, "ipa", "1.0", "8");
    await db.release.update({ where: { id: ids[0] as string }, data: { downloadCount: 3 } });
    await db.release.update({ where: { id: ids[2] as string }, data: { downloadCount: 4 } });
    const body = await list({ environmentId: place.environmentId });
    expect(shown(body)).toEqual(["1.0 ipa 8", "1.0 apk 7 aab 7 ipa 7"]);
    expect(body.total).toBe(2);
    const [, build] = body.items;
    const sizes = build.releases.map(({ size }: { size: number }) => size);
    expect(build).toMatchObject({
      environment: { id: place.environmentId, name: "QA" },
      description: "What changed",
      releaseCount: 3,
      size: sizes[0] + sizes[1] + sizes[2],
      downloads: 7,
    });
    expect(build.deployDate).toBe(build.releases[0].deployDate);
    expect(new Set(body.items.map(({ key }: { key: string }) => key)).size).toBe(2);
    expect(body.environments).toMatchObject([{ id: place.environmentId }]);
  });

  it("has those of one commit where each platform counts its builds apart", async () => {
    const place = await aPlace();
    await add(place, "ipa", "2.0", "12", commit("a1"));
    await add(place, "apk", "2.0", "345", commit("a1"));
    await add(place, "aab", "2.0", "345");
    expect(shown(await list({ environmentId: place.environmentId }))).toEqual(["2.0 apk 345 aab 345 ipa 12"]);
    // Another version, another commit, and a second .ipa of the commit are builds of their own.
    await add(place, "ipa", "2.1", "13", commit("a1"));
    await add(place, "apk", "2.0", "346", commit("b2"));
    await add(place, "ipa", "2.0", "14", commit("a1"));
    expect(shown(await list({ environmentId: place.environmentId }))).toEqual([
      "2.0 ipa 14",
      "2.0 apk 346",
      "2.1 ipa 13",
      "2.0 apk 345 aab 345 ipa 12",
    ]);
  });

  it("takes a release in, or leaves it alone, when its commit is corrected", async () => {
    const place = await aPlace();
    const ipa = await add(place, "ipa", "3.0", "1", commit("a1"));
    const apk = await add(place, "apk", "3.0", "900", commit("typo"));
    const [{ key }] = (await list({ environmentId: place.environmentId, platformId: IOS })).items;
    const change = (gitCommit: string) => send(updateTestingDeploy, admin, { id: apk, metadata: commit(gitCommit) });
    expect((await change("a1")).status).toBe(200);
    expect(shown(await list({ environmentId: place.environmentId }))).toEqual(["3.0 apk 900 ipa 1"]);
    await change("b2");
    const body = await list({ environmentId: place.environmentId });
    expect(shown(body)).toEqual(["3.0 apk 900", "3.0 ipa 1"]);
    expect(body.total).toBe(2);
    expect((await send(getBuild, admin, { id: ipa })).body.key).toBe(key);
  });

  it("ends with its last release", async () => {
    const place = await aPlace();
    const ids = [await add(place, "ipa", "1.0", "1"), await add(place, "apk", "1.0", "1")];
    const { environmentId } = place;
    await send(deleteTestingDeploy, admin, { id: ids[1] });
    expect(shown(await list({ environmentId }))).toEqual(["1.0 ipa 1"]);
    expect((await list({ environmentId, platformId: ANDROID })).total).toBe(0);
    await send(deleteTestingDeploy, admin, { id: ids[0] });
    expect(await list({ environmentId })).toMatchObject({ items: [], total: 0 });
    expect(await db.build.count({ where: { environmentId } })).toBe(0);
  });

  it("is one although its files are published at the same moment", async () => {
    const place = await aPlace();
    await Promise.all([
      add(place, "ipa", "1.0", "1", commit("a1")),
      add(place, "apk", "1.0", "77", commit("a1")),
      add(place, "aab", "1.0", "77", commit("a1")),
    ]);
    const body = await list({ environmentId: place.environmentId });
    expect(shown(body)).toEqual(["1.0 apk 77 aab 77 ipa 1"]);
    expect(body.total).toBe(1);
  });
});

describe("the list of builds", () => {
  let place: Awaited<ReturnType<typeof aPlace>>;
  beforeAll(async () => {
    place = await aPlace();
    for (const [version, build] of [
      ["1.9", "1"],
      ["1.10", "2"],
      ["1.10", "3"],
      ["2.0", "4"],
    ] as const) {
      await add(place, "ipa", version, build);
      if (build !== "3") await add(place, "apk", version, build);
    }
    await add({ ...place, environmentId: place.other }, "ipa", "9.0", "1");
  });

  it.each(["deployDate", "version", "size"])("is paged by %s, each build once, in both directions", async (sort) => {
    const keys = async (order: string) => {
      const input = { environmentId: place.environmentId, sort: order, limit: 1 };
      const { pages, totals } = await readPages(getBuilds, admin, input);
      expect(totals).toEqual([4, 4, 4, 4]);
      return pages.flat().map(({ key }) => key);
    };
    const ascending = await keys(sort);
    expect(new Set(ascending).size).toBe(4);
    expect(await keys(`-${sort}`)).toEqual(ascending.toReversed());
  });

  it("is filtered by platform, version, period and search, with whole builds", async () => {
    const { environmentId } = place;
    expect(shown(await list({ environmentId, platformId: ANDROID, sort: "version" }))).toEqual([
      "1.9 apk 1 ipa 1",
      "1.10 apk 2 ipa 2",
      "2.0 apk 4 ipa 4",
    ]);
    const total = async (input: Record<string, unknown>) => (await list({ environmentId, ...input })).total;
    expect(await total({ platformId: ANDROID })).toBe(3);
    expect(await total({ platformId: IOS })).toBe(4);
    expect(await total({ version: "1.10" })).toBe(2);
    expect(await total({ version: "1.10", platformId: ANDROID })).toBe(1);
    expect(await total({ search: "1.10" })).toBe(2);
    expect(await total({ search: ".APK" })).toBe(0);
    expect(await total({ to: "2020-01-01" })).toBe(0);
    expect(await total({ from: "2020-01-01" })).toBe(4);
  });

  it("is over the environments of an application that the caller reads", async () => {
    const { appId, environmentId, other } = place;
    expect((await list({ appId })).total).toBe(5);
    expect((await list({ appId, environmentId: other })).total).toBe(1);
    const tester = await aUser({ grants: [{ scopes: ["release:read"], apps: [{ appId, environmentIds: [other] }] }] });
    expect(shown(await list({ appId }, tester))).toEqual(["9.0 ipa 1"]);
    expect((await send(getBuilds, tester, { environmentId })).status).toBe(404);
    const token = await aToken({ appId, environmentId, scopes: ["release:read"] });
    expect((await send(getBuilds, token, { environmentId })).body.total).toBe(4);
    expect((await send(getBuilds, token, { environmentId: other })).status).toBe(404);
  });

  it("requires an environment or an application, and an environment of the application", async () => {
    const { appId } = await anApp();
    expect((await send(getBuilds, admin, {})).status).toBe(422);
    expect((await send(getBuilds, admin, { appId, environmentId: place.environmentId })).status).toBe(404);
  });

  it("continues at the cursor after a build of the page was deleted", async () => {
    const other = await aPlace();
    const ids = [
      await add(other, "ipa", "1", "1"),
      await add(other, "ipa", "1", "2"),
      await add(other, "ipa", "1", "3"),
    ];
    const input = { environmentId: other.environmentId, limit: 1 };
    const { nextCursor } = await list(input);
    await send(deleteTestingDeploy, admin, { id: ids[2] });
    expect(shown(await list({ ...input, cursor: nextCursor }))).toEqual(["1 ipa 2"]);
  });

  it("is read from an index, however many builds there are", async () => {
    const { environmentId } = await aPlace();
    const model = await db.release.findFirstOrThrow({ where: { environmentId: place.environmentId } });
    const addMany = (count: number) =>
      databasePool().query(
        `INSERT INTO "Release" ("id", "environmentId", "platformId", "fileId", "version", "buildNumber", "identifier",
           "displayName", "description", "iosEnabled", "installer", "metadata", "deployDate", "updatedAt")
         SELECT gen_random_uuid(), $1, p, $2, '3.' || n % 10, $3 + n, 'com.acme.app', 'App', 'Changes', true,
           $6::jsonb, '{}', now() - n * interval '1 minute', now()
         FROM generate_series(1, $4::int) n, unnest($5::uuid[]) p`,
        [environmentId, model.fileId, 10_000 * count, count, [IOS, ANDROID], JSON.stringify(model.installer)],
      );
    const shownIds = async (more: object) =>
      (await list({ environmentId, ...more })).items.flatMap(({ releases }: { releases: { id: string }[] }) =>
        releases.map(({ id }) => id),
      );
    const cost = async () => {
      await databasePool().query('VACUUM (ANALYZE) "Release", "Build", "BuildCount"');
      const costs: number[] = [];
      for (const more of [{}, { platformId: ANDROID }, { sort: "version" }, { sort: "-size" }]) {
        const read = () => send(getBuilds, admin, { environmentId, ...more });
        // The first reads the releases, and keeps their notes; the second reads them with those.
        await read();
        await expect
          .poll(async () => db.release.count({ where: { id: { in: await shownIds(more) }, notesVersion: null } }))
          .toBe(0);
        await read();
        costs.push(await blocksRead(read));
      }
      return costs;
    };
    await addMany(300);
    expect((await list({ environmentId })).total).toBe(300);
    const few = await cost();
    await addMany(rowsOf(4_000));
    const many = await cost();
    for (const [index, blocks] of many.entries()) expect(blocks).toBeLessThan(1.5 * (few[index] as number));
  }, 120_000);
});

describe("the build of a release", () => {
  it("has the builds that were published before and after it", async () => {
    const place = await aPlace();
    const first = await add(place, "ipa", "1.0", "1");
    await add(place, "ipa", "2.0", "2");
    const apk = await add(place, "apk", "2.0", "2");
    const last = await add(place, "apk", "3.0", "3");
    const { status, body } = await send(getBuild, admin, { id: apk });
    expect(status).toBe(200);
    expect(shown({ items: [body] })).toEqual(["2.0 apk 2 ipa 2"]);
    expect(body.previous).toEqual({ id: first, version: "1.0", buildNumber: "1" });
    expect(body.next).toEqual({ id: last, version: "3.0", buildNumber: "3" });
    expect(body.scopes).toContain("release:delete");
    expect((await send(getBuild, admin, { id: first })).body.previous).toBeNull();
  });
});
