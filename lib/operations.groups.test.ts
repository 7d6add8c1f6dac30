import { beforeAll, describe, expect, it } from "vitest";
import type { Operation } from "@/lib/api/operation";
import { db } from "@/lib/db/client";
import { ANONYMOUS, anApp, type Caller, grantTo, send, sendRaw, type TestUser } from "@/lib/testing/console";
import { someFeedback } from "@/lib/testing/feedback";
import { addFile } from "@/lib/testing/release-files";
import { anIpa, publish } from "@/lib/testing/releases";
import { aGroupReader, distributed } from "@/lib/testing/tester-groups";
import { makeWorld, type World } from "@/lib/testing/world";
import { setUpTestDatabase } from "@/scripts/test-database";
import { createFeedback } from "./features/feedback/operations/create-feedback";
import { operations } from "./operations";

// Users whose only permission is for the releases of a group: what each operation that is for them tells of a release that was
// distributed to the group, and of one beside it that was not. All others refuse them, which the matrix of operations shows.

setUpTestDatabase();

interface Published {
  id: string;
  version: string;
}

let world: World;
let reader: TestUser & { groupId: string };
let place: { appId: string; environmentId: string };
/** Distributed to the group. */
let shared: Published;
/** Not distributed: older, of the same build, newer, and in another environment that the group does not have. */
let hidden: Published[];

const all = Object.values(operations) as Operation[];
const forGroups = all.filter((operation) => operation.forGroups);
const pathOf = ({ area, name }: Operation) => `${area}/${name}`;

async function published(environmentId: string, version: string, build: string, fillerBytes: number) {
  const file = anIpa("com.example.groups", { version, build, fillerBytes });
  const { body } = await publish(world.admin, file, "app.ipa", {
    environmentId,
    description: `Secret notes of ${version}`,
  });
  return { id: body.id as string, version };
}

beforeAll(async () => {
  world = await makeWorld();
  const app = await anApp({ identifier: "com.example.groups", environments: [{ name: "QA" }, { name: "Staging" }] });
  const [environmentId, other] = app.environmentIds as [string, string];
  place = { appId: app.appId, environmentId };
  const older = await published(environmentId, "7.1.1", "711", 1);
  shared = await published(environmentId, "7.2.2", "722", 2);
  const sameBuild = await published(environmentId, "7.2.2", "722", 3);
  const newer = await published(environmentId, "7.3.3", "733", 4);
  const elsewhere = await published(other, "7.4.4", "744", 5);
  hidden = [older, sameBuild, newer, elsewhere];
  reader = await aGroupReader({ appId: app.appId, environmentIds: [environmentId] });
  await distributed(shared.id, reader.groupId);
  // Distributed, in an environment that was taken from the group.
  await distributed(elsewhere.id, reader.groupId);
  for (const { id } of [shared, ...hidden]) {
    await send(createFeedback, world.admin, { releaseId: id, text: `Secret of ${id}` });
  }
});

/** The inputs of operations that take one release, by the ID of the release. */
const OF_RELEASE: Record<string, (id: string) => Record<string, unknown>> = {
  "apps/get-testing-deploy-by-id": (id) => ({ id }),
  "apps/get-build": (id) => ({ id }),
  "apps/get-release-diff": (id) => ({ from: shared.id, to: id }),
  "apps/get-release-files": (releaseId) => ({ releaseId }),
  "apps/get-testing-deploy-openings": (id) => ({ id }),
  "apps/record-testing-deploy-opening": (id) => ({ id, device: "ios" }),
  "apps/download-testing-deploy-file": (id) => ({ id }),
  "apps/download-testing-deploy-qr-code": (id) => ({ id }),
  "apps/generate-apple-manifest-request-token": (id) => ({ id }),
  "devices/get-release-devices": (id) => ({ id }),
  "feedback/create-feedback": (releaseId) => ({ releaseId, text: "It works" }),
  "feedback/get-feedback": (releaseId) => ({ releaseId }),
  "installs/get-install-verdict": (id) => ({ id }),
};

/** The inputs of operations that list, and whether the release of the group is in their answer. */
const OF_LISTS: Record<string, { inputs: () => Record<string, unknown>[]; names: boolean }> = {
  "apps/get-app": { inputs: () => [{ id: place.appId }], names: false },
  "apps/get-authorized-apps": { inputs: () => [{}], names: false },
  "apps/get-app-environments": { inputs: () => [{ appId: place.appId }], names: false },
  "apps/get-authorized-environments-by-app": { inputs: () => [{ appId: place.appId }], names: false },
  "apps/get-installable-releases": { inputs: () => [{}, { appId: place.appId }], names: true },
  "apps/get-latest-testing-deploys": {
    inputs: () => [{ appId: place.appId, environmentIds: [place.environmentId] }],
    names: true,
  },
  "apps/get-latest-testing-deploys-by-app": { inputs: () => [{ appIds: [place.appId] }], names: true },
  "apps/get-testing-deploys": {
    inputs: () => ["-deployDate", "version", "size"].map((sort) => ({ environmentId: place.environmentId, sort })),
    names: true,
  },
  "apps/get-testing-deploys-by-app": {
    inputs: () => [{ appId: place.appId }, { appId: place.appId, search: "Secret" }],
    names: true,
  },
  "apps/get-builds": {
    inputs: () => [
      { appId: place.appId },
      { environmentId: place.environmentId },
      { appId: place.appId, search: "Secret" },
    ],
    names: true,
  },
  "apps/get-testing-deploy-versions": { inputs: () => [{ appId: place.appId }], names: false },
};

/** Those that take the ID of something of a release, which has a test of its own below. */
const OTHERS = ["apps/download-release-file", "feedback/download-feedback-screenshot"];

it("every operation for groups is checked here", () => {
  const checked = [...Object.keys(OF_RELEASE), ...Object.keys(OF_LISTS), ...OTHERS];
  expect(checked.toSorted()).toEqual(forGroups.map(pathOf).toSorted());
});

const operationOf = (path: string) => all.find((operation) => pathOf(operation) === path) as Operation;

async function textOf(operation: Operation, caller: Caller, input: Record<string, unknown>) {
  const response = await sendRaw(operation, caller, input);
  return { status: response.status, text: Buffer.from(await response.arrayBuffer()).toString("latin1") };
}

/** What of the releases that were not distributed a text contains. */
function toldOf(text: string): string[] {
  return hidden
    .filter(({ version }) => version !== shared.version)
    .flatMap(({ id, version }) => [id, version, `Secret of ${id}`])
    .concat(hidden.map(({ id }) => id))
    .filter((word) => text.includes(word));
}

describe.each(Object.entries(OF_RELEASE))("%s", (path, inputOf) => {
  it("serves a release of the group, and knows of no other", async () => {
    const operation = operationOf(path);
    const served = await textOf(operation, reader, inputOf(shared.id));
    expect(served.status, served.text).toBeLessThan(400);
    if (!path.includes("download")) expect(toldOf(served.text)).toEqual([]);
    for (const { id } of hidden) {
      const { status, text } = await textOf(operation, reader, inputOf(id));
      const missing = await textOf(operation, reader, inputOf(crypto.randomUUID()));
      expect([status, JSON.parse(text).code]).toEqual([404, "not_found"]);
      const { requestId: _, instance: __, ...problem } = JSON.parse(text);
      expect(JSON.parse(missing.text)).toMatchObject(problem);
    }
  });
});

describe.each(Object.entries(OF_LISTS))("%s", (path, { inputs, names }) => {
  it("contains the releases of the group alone", async () => {
    for (const input of inputs()) {
      const { status, text } = await textOf(operationOf(path), reader, input);
      expect(status, text).toBe(200);
      expect(toldOf(text)).toEqual([]);
      if (names) expect(text).toContain(shared.id);
      // The total counts the same rows.
      const { items, total } = JSON.parse(text);
      if (names && total !== undefined) expect(total).toBe(items.length);
    }
  });
});

it("a build is made of the releases of the group", async () => {
  const operation = operationOf("apps/get-build");
  const ofReader = (await send(operation, reader, { id: shared.id })).body;
  const ofAdmin = (await send(operation, world.admin, { id: shared.id })).body;
  expect([ofAdmin.releaseCount, ofAdmin.releases.length, ofAdmin.previous.version, ofAdmin.next.version]).toEqual([
    2,
    2,
    "7.1.1",
    "7.3.3",
  ]);
  expect([ofReader.releaseCount, ofReader.releases.length, ofReader.previous, ofReader.next]).toEqual([
    1,
    1,
    null,
    null,
  ]);
  expect(ofReader.size).toBe(ofReader.releases[0].size ?? ofReader.size);
  expect(ofReader.size).toBeLessThan(ofAdmin.size);
});

it("what is not distributed is no alternative, no predecessor and no successor", async () => {
  const { body } = await send(operationOf("apps/get-testing-deploy-by-id"), reader, { id: shared.id });
  expect(body).toMatchObject({ previous: null, next: null, latest: { id: shared.id } });
  expect(body.sameBuild.map(({ id }: { id: string }) => id)).toEqual([shared.id]);
});

it("a search of the texts of other releases finds nothing", async () => {
  for (const path of ["apps/get-builds", "apps/get-testing-deploys-by-app"]) {
    const { body } = await send(operationOf(path), reader, { appId: place.appId, search: "7.1.1" });
    expect([body.items, body.total]).toEqual([[], 0]);
  }
});

it("the pictures of feedback and the further files are those of the group’s releases", async () => {
  const answers = async (id: string) => {
    const feedback = await someFeedback({ ...world, ...place, app: world.app }, { releaseId: id, withPicture: true });
    const bytes = Uint8Array.from(Buffer.from(`mapping of ${id}`));
    const file = await addFile(world.admin, id, { kind: "other", name: "notes.txt", bytes });
    expect(file.status, JSON.stringify(file.body)).toBe(201);
    const of = [
      ["feedback/download-feedback-screenshot", feedback.id],
      ["apps/download-release-file", file.body.id],
    ] as const;
    return Promise.all(
      of.map(async ([path, fileId]) => (await textOf(operationOf(path), reader, { id: fileId })).status),
    );
  };
  expect(await answers(shared.id)).toEqual([200, 200]);
  for (const { id } of hidden) expect(await answers(id)).toEqual([404, 404]);
});

it("the feed contains the releases of the group alone", async () => {
  const { body } = await send(operationOf("apps/create-release-feed"), reader, {});
  const token = new URL(body.url).searchParams.get("token") as string;
  const { text } = await textOf(operationOf("apps/download-release-feed"), ANONYMOUS, { token });
  expect([text.includes(shared.id), toldOf(text)]).toEqual([true, []]);
});

it("adds to what the role gives in whole environments", async () => {
  const staging = hidden.at(-1) as Published;
  const { environmentId } = await db.release.findUniqueOrThrow({ where: { id: staging.id } });
  const both = await aGroupReader(place);
  await distributed(shared.id, both.groupId);
  const apps = [{ appId: place.appId, environmentIds: [environmentId] }];
  await grantTo(both.roleId, { scopes: ["release:read"], apps });
  for (const path of ["apps/get-testing-deploys-by-app", "apps/get-builds", "apps/get-testing-deploy-versions"]) {
    const { body } = await send(operationOf(path), both, { appId: place.appId });
    expect(body.items.map(({ version }: Published) => version).toSorted(), path).toEqual([
      shared.version,
      staging.version,
    ]);
    expect(body.total, path).toBe(2);
  }
});

it("what only reads cannot install", async () => {
  const viewer = await aGroupReader({ ...place, scopes: ["release:read"] });
  await distributed(shared.id, viewer.groupId);
  expect((await send(operationOf("apps/get-testing-deploy-by-id"), viewer, { id: shared.id })).status).toBe(200);
  expect((await send(operationOf("apps/download-testing-deploy-file"), viewer, { id: shared.id })).body.code).toBe(
    "forbidden",
  );
});

it("ends with the group, with the distribution and with the permission, from the next request on", async () => {
  const look = async (user: Caller) =>
    (await send(operationOf("apps/get-testing-deploy-by-id"), user, { id: shared.id })).status;
  const [one, other] = [await aGroupReader(place), await aGroupReader(place)];
  for (const user of [one, other]) {
    expect(await look(user)).toBe(404);
    await distributed(shared.id, user.groupId);
    expect(await look(user)).toBe(200);
  }
  await db.releaseTesterGroup.deleteMany({ where: { groupId: one.groupId } });
  expect(await look(one)).toBe(404);
  const answer = await send(operationOf("testers/delete-tester-group"), world.admin, { id: other.groupId });
  expect(answer.status).toBe(204);
  expect(await look(other)).toBe(404);
  expect(await db.rolePermission.count({ where: { roleId: other.roleId } })).toBe(0);
  const record = await db.auditRecord.findFirstOrThrow({ where: { action: "delete", recordId: other.groupId } });
  expect(record.changes).toMatchObject({ permissions: [[{ role: { id: other.roleId } }], null] });
});
