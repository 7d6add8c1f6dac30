import { randomUUID } from "node:crypto";
import { dsymEntries, makeDsyms, makeMachO, makeMapping, makeZip } from "@slipway/installers/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { deleteTestingDeploy } from "@/lib/features/releases/operations/delete-testing-deploy";
import { promoteTestingDeploy } from "@/lib/features/releases/operations/promote-testing-deploy";
import { emptyBin as emptyNow } from "@/lib/features/retention/operations/empty-bin";
import { getBin } from "@/lib/features/retention/operations/get-bin";
import { getStorage } from "@/lib/features/retention/operations/get-storage";
import { restoreRelease } from "@/lib/features/retention/operations/restore-release";
import { sweep } from "@/lib/jobs/sweep";
import { storage } from "@/lib/storage";
import { emptyBin } from "@/lib/storage/bin";
import { readMissingFacts } from "@/lib/storage/installer-facts";
import { anApp, aToken, aUser, send, sendRaw, type TestUser } from "@/lib/testing/console";
import { addFile, aReleaseFile, aReleaseWithPrograms, FRAMEWORK_UUID, PROGRAM_UUID } from "@/lib/testing/release-files";
import { anApk, anIpa, publish, uploadInParts } from "@/lib/testing/releases";
import { setUpTestDatabase } from "@/scripts/test-database";
import { createReleaseFile } from "./operations/create-release-file";
import { deleteReleaseFile } from "./operations/delete-release-file";
import { downloadReleaseFile } from "./operations/download-release-file";
import { getReleaseFiles } from "./operations/get-release-files";

setUpTestDatabase();

const FOREIGN_UUID = "6A5C1B2D-0000-4000-8000-0000000000FF";

let admin: TestUser;
let app: Awaited<ReturnType<typeof anApp>>;
let place: { identifier: string; environmentId: string };

beforeAll(async () => {
  admin = await aUser({ admin: true });
  app = await anApp({ environments: [{ name: "Testing" }, { name: "Production" }] });
  place = { identifier: app.identifier, environmentId: app.environmentIds[0] as string };
});

const dsym = (...uuids: string[]) => ({ kind: "dsym", name: "App.dSYM.zip", bytes: makeDsyms(uuids) });
const filesOf = async (releaseId: string, caller = admin) => (await send(getReleaseFiles, caller, { releaseId })).body;
const anAndroidRelease = async () =>
  (await publish(admin, await anApk(app.identifier), "Acme.apk", { environmentId: place.environmentId })).body;
const stored = (fileId: string) => db.file.findUnique({ where: { id: fileId } });

describe("symbols of an .ipa", () => {
  it("are matched by their UUIDs, also before the job has read the build, and what is missing is named", async () => {
    const { id } = await aReleaseWithPrograms(admin, place);
    expect((await filesOf(id)).symbols).toMatchObject({ state: "pending", programs: 0 });
    const { status, body } = await addFile(admin, id, dsym(FRAMEWORK_UUID, FOREIGN_UUID));
    expect(status).toBe(201);
    expect(body).toMatchObject({
      kind: "dsym",
      name: "App.dSYM.zip",
      symbols: {
        images: 2,
        matched: 1,
        items: [
          { uuid: FRAMEWORK_UUID, architecture: "arm64", matched: true },
          { uuid: FOREIGN_UUID, matched: false },
        ],
      },
    });
    await readMissingFacts(db, { now: () => new Date() });
    expect((await filesOf(id)).symbols).toEqual({
      state: "known",
      programs: 2,
      missing: 1,
      missingItems: [{ uuid: PROGRAM_UUID, architecture: "arm64", name: "Main" }],
    });
    await addFile(admin, id, dsym(PROGRAM_UUID));
    expect((await filesOf(id)).symbols).toMatchObject({ missing: 0, missingItems: [] });
  });

  it("of another build are refused with the UUIDs of both, and nothing is added", async () => {
    const { id } = await aReleaseWithPrograms(admin, place);
    const { status, body } = await addFile(admin, id, dsym(FOREIGN_UUID));
    expect([status, body.code]).toEqual([422, "symbols_mismatch"]);
    for (const uuid of [FOREIGN_UUID, PROGRAM_UUID, FRAMEWORK_UUID]) expect(body.detail).toContain(uuid);
    expect((await filesOf(id)).total).toBe(0);
  });

  it("are refused with the reason if they are hostile or belong to another system", async () => {
    const { id } = await aReleaseWithPrograms(admin, place);
    const refused = async (file: { kind: string; name?: string; bytes: Uint8Array<ArrayBuffer> }, releaseId = id) => {
      const { status, body } = await addFile(admin, releaseId, { name: "a.zip", ...file });
      return [status, body.code, body.detail];
    };
    const text = { bytes: new Uint8Array(Buffer.from("hello")) };
    expect(await refused({ kind: "dsym", ...text })).toEqual([
      422,
      "invalid_symbols",
      expect.stringContaining("not a ZIP archive"),
    ]);
    const damaged = makeMachO({ uuid: PROGRAM_UUID, fileType: 10 });
    damaged.writeUInt32LE(0, 36);
    expect(await refused({ kind: "dsym", bytes: makeZip(dsymEntries({ Main: damaged })) })).toEqual([
      422,
      "invalid_symbols",
      expect.stringContaining("Main.dSYM/Contents/Resources/DWARF/Main"),
    ]);
    const android = await anAndroidRelease();
    for (const [kind, releaseId] of [
      ["mapping", id],
      ["dsym", android.id],
    ] as const) {
      const { status, body } = await addFile(admin, releaseId, { kind, name: "a", bytes: makeMapping() });
      expect([status, body.errors[0]]).toMatchObject([422, { path: "kind", code: "releaseFileKind" }]);
    }
    expect(await refused({ kind: "mapping", ...text }, android.id)).toEqual([
      422,
      "invalid_symbols",
      expect.stringContaining("mapping.txt"),
    ]);
  });

  it("of a build without programs are refused", async () => {
    const { body } = await publish(admin, anIpa(app.identifier), "a.ipa", { environmentId: place.environmentId });
    const answer = await addFile(admin, body.id, dsym(PROGRAM_UUID));
    expect([answer.status, answer.body.code]).toEqual([422, "symbols_mismatch"]);
  });

  it("of releases of older versions are known after the job", async () => {
    const { id } = await aReleaseWithPrograms(admin, place);
    await readMissingFacts(db, { now: () => new Date() });
    await db.installerFacts.updateMany({ data: { version: 1, isPending: false } });
    await db.$executeRaw`UPDATE "InstallerFacts" SET "binaries" = NULL`;
    expect((await filesOf(id)).symbols).toMatchObject({ state: "pending" });
    await readMissingFacts(db, { now: () => new Date() });
    expect((await filesOf(id)).symbols).toMatchObject({ state: "known", programs: 2 });
  });
});

describe("a further file", () => {
  it("of Android may be a mapping file, whose header is read", async () => {
    const { id } = await anAndroidRelease();
    const { body } = await addFile(admin, id, { kind: "mapping", name: "mapping.txt", bytes: makeMapping("abc1234") });
    expect(body.mapping).toEqual({ compiler: "R8", compilerVersion: "8.7.18", mapId: "abc1234", minApi: "24" });
    expect((await filesOf(id)).symbols).toBeNull();
  });

  it("is added once, also if the call is repeated or the bytes are uploaded again", async () => {
    const { id: releaseId } = await aReleaseWithPrograms(admin, place);
    const bytes = makeDsyms([PROGRAM_UUID]);
    const { fileId } = await uploadInParts(admin, bytes, "a.zip", "attachment");
    const input = { releaseId, fileId, kind: "dsym" as const, name: "a.zip" };
    const first = await send(createReleaseFile, admin, input);
    const second = await send(createReleaseFile, admin, input);
    const third = await addFile(admin, releaseId, { kind: "dsym", name: "b.zip", bytes });
    expect([first.status, second.status, third.status]).toEqual([201, 200, 200]);
    expect([second.body, third.body]).toMatchObject([
      { id: first.body.id, repeated: true },
      { id: first.body.id, repeated: true },
    ]);
    expect((await filesOf(releaseId)).total).toBe(1);
  });

  it("of one upload can belong to several releases", async () => {
    const { fileId } = await uploadInParts(admin, makeDsyms([PROGRAM_UUID]), "a.zip", "attachment");
    for (let index = 0; index < 2; index += 1) {
      const { id: releaseId } = await aReleaseWithPrograms(admin, place);
      const answer = await send(createReleaseFile, admin, { releaseId, fileId, kind: "dsym", name: "a.zip" });
      expect(answer.status).toBe(201);
    }
    expect(await db.releaseFile.count({ where: { fileId } })).toBe(2);
  });

  it("comes from the caller's own finished upload for this purpose, and has a name without a path", async () => {
    const { id: releaseId } = await aReleaseWithPrograms(admin, place);
    const publisher = await aUser({ grants: [{ scopes: ["release:create"], apps: [{ appId: app.appId }] }] });
    const attempt = async (fileId: string, name = "a.zip") =>
      (await send(createReleaseFile, publisher, { releaseId, fileId, kind: "other", name })).body.errors?.[0];
    const foreign = await uploadInParts(admin, makeDsyms([PROGRAM_UUID]), "a.zip", "attachment");
    const installer = await uploadInParts(publisher, anIpa(app.identifier), "a.ipa");
    const own = await uploadInParts(publisher, makeDsyms([PROGRAM_UUID]), "a.zip", "attachment");
    for (const fileId of [foreign.fileId, installer.fileId, randomUUID()]) {
      expect(await attempt(fileId)).toMatchObject({ path: "fileId" });
    }
    for (const name of ["../a.zip", "a/b", "a\\b", ".hidden", "con"]) {
      expect(await attempt(own.fileId, name), name).toMatchObject({ path: "name" });
    }
    expect(await attempt(own.fileId)).toBeUndefined();
  });

  it("is saved and never shown, under its name, by those who may", async () => {
    const { id: releaseId } = await aReleaseWithPrograms(admin, place);
    const page = {
      kind: "other",
      name: "Prüfung — “1”.html",
      bytes: new Uint8Array(Buffer.from("<script>1</script>")),
    };
    const other = (await addFile(admin, releaseId, page)).body;
    const symbols = (await addFile(admin, releaseId, dsym(PROGRAM_UUID))).body;
    const download = (caller: TestUser, id: string, headers = {}) =>
      sendRaw(downloadReleaseFile, caller, { id }, { headers });
    const response = await download(admin, other.id);
    expect(response.headers.get("content-disposition")).toMatch(/^attachment; filename="Pr/);
    expect(response.headers.get("content-type")).toBe("application/octet-stream");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(await response.text()).toBe("<script>1</script>");
    const part = await download(admin, symbols.id, { range: "bytes=0-1" });
    expect([part.status, part.headers.get("content-type"), await part.text()]).toEqual([206, "application/zip", "PK"]);

    const grant = (...scopes: ("release:read" | "release:download" | "release:create")[]) =>
      aUser({ grants: [{ scopes, apps: [{ appId: app.appId }] }] });
    const [reader, tester, publisher, stranger] = await Promise.all([
      grant("release:read"),
      grant("release:download"),
      grant("release:download", "release:create"),
      aUser(),
    ]);
    const statuses = async (caller: TestUser) =>
      Promise.all([other.id, symbols.id].map(async (id) => (await send(downloadReleaseFile, caller, { id })).status));
    expect(await statuses(reader)).toEqual([403, 403]);
    expect(await statuses(tester)).toEqual([200, 403]);
    expect(await statuses(publisher)).toEqual([200, 200]);
    expect(await statuses(stranger)).toEqual([404, 404]);
    const shown = await filesOf(releaseId, tester);
    expect(shown.items.map((item: { kind: string; mayDownload: boolean }) => [item.kind, item.mayDownload])).toEqual([
      ["dsym", false],
      ["other", true],
    ]);
  });

  it("can be found, page by page", async () => {
    const { id: releaseId } = await aReleaseWithPrograms(admin, place);
    for (const name of ["plan.pdf", "plan.txt", "notes.md"]) {
      await addFile(admin, releaseId, { kind: "other", name, bytes: new Uint8Array(Buffer.from(name)) });
    }
    const first = (await send(getReleaseFiles, admin, { releaseId, limit: 2 })).body;
    const rest = (await send(getReleaseFiles, admin, { releaseId, limit: 2, cursor: first.nextCursor })).body;
    const names = [...first.items, ...rest.items].map(({ name }) => name);
    expect([names, first.total, rest.nextCursor]).toEqual([["notes.md", "plan.txt", "plan.pdf"], 3, null]);
    expect((await send(getReleaseFiles, admin, { releaseId, search: "PLAN" })).body.total).toBe(2);
    expect((await send(getReleaseFiles, admin, { releaseId, kind: "dsym" })).body.total).toBe(0);
  });

  it("is deleted with its bytes, and stays for releases that share it", async () => {
    const { id, releaseId } = await aReleaseFile(admin, place);
    const { fileId } = await db.releaseFile.findUniqueOrThrow({ where: { id } });
    const environmentId = app.environmentIds[1] as string;
    const promoted = (await send(promoteTestingDeploy, admin, { ids: [releaseId], environmentId })).body.items[0];
    const copies = (await filesOf(promoted.id)).items;
    expect(copies).toMatchObject([{ kind: "dsym", symbols: { images: 1 } }]);
    expect((await send(deleteReleaseFile, admin, { id })).status).toBe(204);
    expect(await stored(fileId)).toMatchObject({ state: "ready" });
    expect((await send(deleteReleaseFile, admin, { id: copies[0].id })).status).toBe(204);
    await expect.poll(() => stored(fileId)).toBeNull();
    expect((await send(deleteReleaseFile, admin, { id })).status).toBe(404);
  });
});

describe("a promotion", () => {
  it("carries only the files that the caller may download in the source", async () => {
    const { releaseId } = await aReleaseFile(admin, place);
    const note = { kind: "other", name: "a.txt", bytes: new Uint8Array(Buffer.from("a")) };
    await addFile(admin, releaseId, note);
    const environmentId = app.environmentIds[1] as string;
    const promoter = await aUser({
      grants: [
        { scopes: ["release:download"], apps: [{ appId: app.appId, environmentIds: [place.environmentId] }] },
        { scopes: ["release:create"], apps: [{ appId: app.appId, environmentIds: [environmentId] }] },
      ],
    });
    const { status, body } = await send(promoteTestingDeploy, promoter, { ids: [releaseId], environmentId });
    expect(status).toBe(201);
    const { items } = await filesOf(body.items[0].id);
    expect(items.map(({ kind }: { kind: string }) => kind)).toEqual(["other"]);
  });
});

describe("what further files take", () => {
  const usage = async (environmentId: string) => {
    const { body } = await send(getStorage, admin, {});
    const all = body.apps.flatMap((one: { environments: { environment: { id: string } }[] }) => one.environments);
    return all.find(({ environment }: { environment: { id: string } }) => environment.id === environmentId);
  };

  it("counts in the environment and the bin, and is gone with the release for good", async () => {
    const { identifier, environmentIds } = await anApp();
    const environmentId = environmentIds[0] as string;
    const { id, releaseId } = await aReleaseFile(admin, { identifier, environmentId });
    const { fileId, size } = await db.releaseFile.findUniqueOrThrow({ where: { id } });
    const release = await db.release.findUniqueOrThrow({ where: { id: releaseId } });
    const plan = { kind: "other", name: "plan.txt", bytes: new Uint8Array(Buffer.from("What to try")) };
    const other = (await addFile(admin, releaseId, plan)).body;
    const total = Number(release.size) + Number(size) + other.size;
    expect(await usage(environmentId)).toMatchObject({ bytes: { ipa: total, bin: 0 }, total });

    await send(deleteTestingDeploy, admin, { id: releaseId });
    expect(await usage(environmentId)).toMatchObject({ bytes: { ipa: 0, bin: total } });
    expect((await send(getBin, admin, { environmentId })).body.bytes).toBe(total);
    expect((await sendRaw(downloadReleaseFile, admin, { id })).status).toBe(404);
    // Neither a sweep nor another release lets go of it.
    await sweep(db, storage(), { now: new Date(), graceMs: 0 });
    expect(await stored(fileId)).toMatchObject({ state: "ready" });

    expect((await send(restoreRelease, admin, { id: releaseId })).status).toBe(200);
    expect(await usage(environmentId)).toMatchObject({ bytes: { ipa: total, bin: 0 } });
    expect((await filesOf(releaseId)).items).toMatchObject([
      { id: other.id, kind: "other" },
      { id, symbols: { images: 1 } },
    ]);
    expect((await send(downloadReleaseFile, admin, { id })).status).toBe(200);

    await send(deleteTestingDeploy, admin, { id: releaseId });
    await send(emptyNow, admin, { environmentId });
    await emptyBin(db, { now: new Date(Date.now() + 1_000) });
    expect(await stored(fileId)).toBeNull();
    expect(await usage(environmentId)).toMatchObject({ total: 0 });
  });
});

describe("the sweep", () => {
  it("removes files whose release is gone without its files", async () => {
    const { id } = await aReleaseFile(admin, place);
    const { fileId } = await db.releaseFile.findUniqueOrThrow({ where: { id } });
    await db.releaseFile.delete({ where: { id } });
    await sweep(db, storage(), { now: new Date(), graceMs: 0 });
    expect(await stored(fileId)).toBeNull();
  });
});

describe("the audit log", () => {
  it("names the file, its kind and its bytes", async () => {
    const { id } = await aReleaseFile(admin, place);
    const record = await db.auditRecord.findFirstOrThrow({ where: { table: "ReleaseFile", recordId: id } });
    expect(record.action).toBe("create");
    expect(record.changes).toMatchObject({ kind: [null, "dsym"], name: [null, "Main.dSYM.zip"] });
    expect(JSON.stringify(record.changes)).toContain("Main.dSYM.zip");
  });

  it("has tokens as authors", async () => {
    const token = await aToken({ appId: app.appId, environmentId: place.environmentId, scopes: ["release:create"] });
    const { id } = await aReleaseWithPrograms(admin, place);
    const { status, body } = await addFile(token, id, dsym(PROGRAM_UUID));
    expect([status, body.createdBy?.kind]).toEqual([201, "token"]);
  });
});
