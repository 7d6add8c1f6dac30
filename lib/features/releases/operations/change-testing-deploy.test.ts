import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { storage } from "@/lib/storage";
import { changedFields } from "@/lib/testing/audit";
import { emptyWholeBin } from "@/lib/testing/bin";
import { anApp, aUser, send, type TestUser } from "@/lib/testing/console";
import { LONG_TRANSACTION, untilWaitingForLocks } from "@/lib/testing/locks";
import { anIpa, aRelease, publish } from "@/lib/testing/releases";
import { afterSweep, withFault } from "@/lib/testing/store";
import { setUpTestDatabase } from "@/scripts/test-database";
import { MAX_DESCRIPTION, MAX_METADATA_ENTRIES } from "../schema";
import { deleteTestingDeploy } from "./delete-testing-deploy";
import { updateTestingDeploy } from "./update-testing-deploy";

setUpTestDatabase();

let admin: TestUser;
let app: Awaited<ReturnType<typeof anApp>>;
let place: { identifier: string; environmentId: string };

beforeAll(async () => {
  admin = await aUser({ admin: true });
  app = await anApp({ environments: [{ name: "QA" }, { name: "Staging" }] });
  place = { identifier: app.identifier, environmentId: app.environmentIds[0] as string };
});

const lastRecord = () => db.auditRecord.findFirstOrThrow({ orderBy: { id: "desc" } });

describe("a change of a release", () => {
  it("applies to the fields that users enter, and the audit record has the old and new values", async () => {
    const release = await aRelease(admin, place);
    const change = { description: "Really", fileName: "Acme QA.ipa", iosEnabled: false, metadata: { ticket: "A-1" } };
    const { status, body } = await send(updateTestingDeploy, admin, { id: release.id, ...change });
    const notes = { descriptionHtml: '<p dir="auto">Really</p>', descriptionSummary: "Really" };
    expect([status, body]).toEqual([200, { ...release, ...change, ...notes, updatedAt: body.updatedAt }]);
    expect(body.updatedAt > release.updatedAt).toBe(true);
    expect(changedFields(await lastRecord())).toEqual({
      description: ["What changed", "Really"],
      fileName: [null, "Acme QA.ipa"],
      iosEnabled: [true, false],
      metadata: [{}, { ticket: "A-1" }],
    });
  });

  it("leaves a short record, however long the texts are, from which texts with the same beginning can be told apart", async () => {
    const release = await aRelease(admin, place);
    const texts = (end: string) => ({
      id: release.id,
      description: "é".repeat(MAX_DESCRIPTION - 1) + end,
      metadata: Object.fromEntries(
        Array.from({ length: MAX_METADATA_ENTRIES }, (_, index) => [
          String(index).padEnd(100, "k"),
          "é".repeat(999) + end,
        ]),
      ),
    });
    await send(updateTestingDeploy, admin, texts("a"));
    expect((await send(updateTestingDeploy, admin, texts("b"))).status).toBe(200);
    const { changes } = await lastRecord();
    const [before, after] = changedFields({ changes }).description as [string, string];
    expect(before.slice(0, 1_000)).toBe("é".repeat(1_000));
    expect(before).not.toBe(after);
    expect(Buffer.byteLength(JSON.stringify(changes))).toBeLessThan(40_000);
  });

  it("is recorded with the values that it replaced if two changes happen at the same moment", async () => {
    const release = await aRelease(admin, place);
    const change = (description: string) => send(updateTestingDeploy, admin, { id: release.id, description });
    const changes = await db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM "Release" WHERE "id" = ${release.id}::uuid FOR UPDATE`;
      const one = change("One");
      await untilWaitingForLocks(1);
      const two = change("Two");
      await untilWaitingForLocks(2);
      return [one, two];
    }, LONG_TRANSACTION);
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual([200, 200]);
    const records = await db.auditRecord.findMany({
      where: { recordId: release.id, action: "update" },
      orderBy: { id: "asc" },
    });
    expect(records.map(changedFields)).toEqual([
      { description: ["What changed", "One"] },
      { description: ["One", "Two"] },
    ]);
  });

  it("is refused with a file name that a program reads, or that is not an installer's of its kind", async () => {
    const release = await aRelease(admin, place);
    for (const fileName of ["Makefile", "slipway.json", "Acme.apk", "dir/Acme.ipa", "con.ipa"]) {
      const { status, body } = await send(updateTestingDeploy, admin, { id: release.id, fileName });
      expect([status, body.errors?.[0]?.path], fileName).toEqual([422, "fileName"]);
    }
  });

  it("leaves a file name that was given before this was checked, which is answered as a safe one", async () => {
    const release = await aRelease(admin, place);
    await db.release.update({ where: { id: release.id }, data: { fileName: "../Makefile" } });
    const { status, body } = await send(updateTestingDeploy, admin, { id: release.id, description: "Again" });
    expect([status, body.fileName]).toEqual([200, "_Makefile.ipa"]);
    const { fileName } = await db.release.findUniqueOrThrow({ where: { id: release.id } });
    expect(fileName).toBe("../Makefile");
  });

  it("keeps omitted fields, and resets the name if it is null or empty", async () => {
    const release = await aRelease(admin, place);
    await send(updateTestingDeploy, admin, { id: release.id, fileName: "Other.ipa" });
    const kept = await send(updateTestingDeploy, admin, { id: release.id, description: "Again" });
    const notes = { descriptionHtml: '<p dir="auto">Again</p>', descriptionSummary: "Again" };
    const { updatedAt } = kept.body;
    expect(kept.body).toEqual({ ...release, description: "Again", ...notes, fileName: "Other.ipa", updatedAt });
    for (const fileName of [null, " "]) {
      expect((await send(updateTestingDeploy, admin, { id: release.id, fileName })).body.fileName).toBe("Example.ipa");
    }
  });

  it.each([
    ["version", "2.0"],
    ["description", ""],
    ["metadata", { a: 1 }],
    ["iosEnabled", null],
  ])("of %s to %o is refused", async (field, value) => {
    const release = await aRelease(admin, place);
    const { status, body } = await send(updateTestingDeploy, admin, { id: release.id, [field]: value });
    expect(status).toBe(422);
    expect(body.errors[0].path).toMatch(new RegExp(`^${field}`));
  });

  it("needs its own scope", async () => {
    const release = await aRelease(admin, place);
    const apps = [{ appId: app.appId }];
    const creator = await aUser({ grants: [{ scopes: ["release:create"], apps }] });
    expect((await send(updateTestingDeploy, creator, { id: release.id, description: "x" })).status).toBe(403);
    expect((await send(deleteTestingDeploy, creator, { id: release.id })).status).toBe(403);
    const editor = await aUser({ grants: [{ scopes: ["release:update"], apps }] });
    expect((await send(updateTestingDeploy, editor, { id: release.id, description: "x" })).status).toBe(200);
  });
});

describe("deleting a release", () => {
  it("deletes its installer and icon when it leaves the bin", async () => {
    const release = await aRelease(admin, place);
    const row = await db.release.findUniqueOrThrow({
      where: { id: release.id },
      include: { file: true, iconFile: true },
    });
    const keys = [row.file.storageKey, row.iconFile?.storageKey as string];
    const answer = await send(deleteTestingDeploy, admin, { id: release.id });
    expect([answer.status, answer.body]).toEqual([204, ""]);
    expect(await lastRecord()).toMatchObject({ action: "delete", recordId: release.id });
    for (const key of keys) expect(await storage().head(key)).not.toBeNull();
    await emptyWholeBin();
    for (const key of keys) {
      expect(await storage().head(key)).toBeNull();
      expect(await db.file.count({ where: { storageKey: key } })).toBe(0);
    }
    expect((await send(deleteTestingDeploy, admin, { id: release.id })).status).toBe(404);
  });

  it("keeps a file that another release uses", async () => {
    const release = await aRelease(admin, place);
    const row = await db.release.findUniqueOrThrow({ where: { id: release.id }, include: { file: true } });
    const { id: _id, ...copy } = {
      ...row,
      installer: row.installer ?? {},
      metadata: row.metadata ?? {},
      warnings: row.warnings ?? [],
    };
    const { file: _file, ...columns } = copy;
    const other = await db.release.create({
      data: { ...columns, id: crypto.randomUUID(), environmentId: app.environmentIds[1] as string },
    });
    await send(deleteTestingDeploy, admin, { id: release.id });
    await emptyWholeBin();
    expect(await db.file.findUnique({ where: { id: row.fileId } })).toMatchObject({ state: "ready" });
    expect(await storage().head(row.file.storageKey)).not.toBeNull();
    await send(deleteTestingDeploy, admin, { id: other.id });
    await emptyWholeBin();
    expect(await storage().head(row.file.storageKey)).toBeNull();
  });

  it("while the same bytes are published again leaves a release with its file, or no release", async () => {
    for (let round = 0; round < 5; round += 1) {
      const bytes = anIpa(app.identifier);
      const fields = { environmentId: place.environmentId };
      const first = await publish(admin, bytes, "Acme.ipa", fields);
      const [, again] = await Promise.all([
        send(deleteTestingDeploy, admin, { id: first.body.id }).then(emptyWholeBin),
        publish(admin, bytes, "Acme.ipa", fields),
      ]);
      expect([200, 201]).toContain(again.status);
      await afterSweep();
      for (const { file } of await db.release.findMany({ include: { file: true } })) {
        expect(file.state).toBe("ready");
        expect(await storage().head(file.storageKey)).not.toBeNull();
      }
    }
  });

  it("for good succeeds while the store is unavailable, and the sweep removes the file", async () => {
    const release = await aRelease(admin, place);
    await send(deleteTestingDeploy, admin, { id: release.id });
    const tried = Promise.withResolvers<void>();
    const beforeFailure = async () => tried.resolve();
    await withFault({ method: "delete", when: "before", beforeFailure }, async () => {
      expect(await emptyWholeBin()).toBe(1);
      await tried.promise;
    });
    expect(await db.file.count({ where: { state: "deleting" } })).toBeGreaterThan(0);
    const { stored, known, unfinished } = await afterSweep();
    expect(stored).toEqual(known);
    expect(unfinished).toBe(0);
  });
});
