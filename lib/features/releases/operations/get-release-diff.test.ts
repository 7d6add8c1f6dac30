import { bytesSource, diffContents, readContents } from "@slipway/installers";
import { makeApk, makeIpa, makeZip } from "@slipway/installers/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { compareInThread } from "@/lib/storage/comparison";
import { anApp, aUser, send, sendRaw, type TestUser } from "@/lib/testing/console";
import { anApk, anIpa, aRelease, publish } from "@/lib/testing/releases";
import { setUpTestDatabase } from "@/scripts/test-database";
import { deleteTestingDeploy } from "./delete-testing-deploy";
import { getReleaseDiff } from "./get-release-diff";

setUpTestDatabase();

let admin: TestUser;
let app: Awaited<ReturnType<typeof anApp>>;
let place: { identifier: string; environmentId: string };
beforeAll(async () => {
  admin = await aUser({ admin: true });
  app = await anApp();
  place = { identifier: app.identifier, environmentId: app.environmentIds[0] as string };
});

const anAndroidRelease = async (options: Parameters<typeof anApk>[1] = {}) =>
  (await publish(admin, await anApk(app.identifier, options), "Acme.apk", { environmentId: place.environmentId })).body;
const kept = () => db.releaseDiff.count();

describe("the difference of two releases", () => {
  it("is that of their files, is kept, and goes with one of them", async () => {
    const [first, second] = [
      makeIpa({ ...place, version: "1.0" }),
      makeIpa({ ...place, version: "2.0", minOs: "17.0" }),
    ];
    const from = (await publish(admin, first, "a.ipa", { environmentId: place.environmentId })).body;
    const to = (await publish(admin, second, "a.ipa", { environmentId: place.environmentId })).body;
    const { status, body } = await send(getReleaseDiff, admin, { from: from.id, to: to.id });
    const expected = diffContents(await readContents(bytesSource(first)), await readContents(bytesSource(second)));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...expected,
      from: { id: from.id, version: "1.0" },
      to: { id: to.id, version: "2.0" },
    });
    expect(body.sdk.min).toEqual({ from: "16.0", to: "17.0" });
    await expect.poll(kept).toBe(1);
    await db.releaseDiff.updateMany({ data: { diff: { ...expected, manifest: [] } } });
    expect((await send(getReleaseDiff, admin, { from: from.id, to: to.id })).body.manifest).toEqual([]);
    await db.releaseDiff.updateMany({ data: { version: 0 } });
    expect((await send(getReleaseDiff, admin, { from: from.id, to: to.id })).body.manifest).not.toEqual([]);
    expect((await send(deleteTestingDeploy, admin, { id: from.id })).status).toBe(204);
    expect(await kept()).toBe(0);
    expect((await send(getReleaseDiff, admin, { from: from.id, to: to.id })).status).toBe(404);
  });

  it("can be read as Markdown in the caller's language, whose code hostile names do not leave", async () => {
    const hostile = [{ name: "assets/`<script>`|``x", data: Buffer.from("x") }];
    const from = await anAndroidRelease({ versionCode: 1 });
    const to = await anAndroidRelease({
      versionCode: 2,
      permissions: ["android.permission.CAMERA"],
      extraEntries: hostile,
    });
    const ask = (language: string) =>
      sendRaw(
        getReleaseDiff,
        admin,
        { from: from.id, to: to.id, format: "markdown" },
        { headers: { "accept-language": language } },
      );
    const response = await ask("en");
    const text = await response.text();
    expect(response.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    expect(text).toContain("### Changes of ");
    expect(text).toContain("- ➕ `android.permission.CAMERA`");
    expect(text).toContain("- ➕ ``` assets/`<script>`|``x ``` – → 1\u00a0B");
    expect(await (await ask("es")).text()).toContain("#### Permisos");
  });

  it("is refused for different apps and kinds, and not found where one may not be seen", async () => {
    const other = await anApp();
    const foreign = await aRelease(admin, {
      identifier: other.identifier,
      environmentId: other.environmentIds[0] as string,
    });
    const [ipa, apk] = [await aRelease(admin, place), await anAndroidRelease()];
    const refused = await send(getReleaseDiff, admin, { from: foreign.id, to: ipa.id });
    expect([refused.status, refused.body.errors[0]]).toMatchObject([422, { path: "from", code: "differentApp" }]);
    const kinds = await send(getReleaseDiff, admin, { from: ipa.id, to: apk.id });
    expect([kinds.status, kinds.body.errors[0]]).toMatchObject([422, { path: "from", code: "differentKind" }]);
    const reader = await aUser({ grants: [{ scopes: ["release:read"], apps: [{ appId: app.appId }] }] });
    expect((await send(getReleaseDiff, reader, { from: foreign.id, to: ipa.id })).status).toBe(404);
    expect((await send(getReleaseDiff, reader, { from: ipa.id, to: foreign.id })).status).toBe(404);
    expect((await send(getReleaseDiff, reader, { from: ipa.id, to: ipa.id })).status).toBe(200);
  });
});

describe("a comparison in a thread", () => {
  it("reads central directories of 100,000 files within its memory", { timeout: 120_000 }, async () => {
    const apk = await makeApk({ schemes: [] });
    const many = Array.from({ length: 99_000 }, (_, index) => ({
      name: `assets/${"folder/".repeat(5)}${index}`,
      data: Buffer.from(String(index)),
    }));
    const large = bytesSource(await makeApk({ schemes: [], extraEntries: many }));
    expect((await compareInThread(bytesSource(apk), large)).files).toMatchObject({ added: 99_000, removed: 0 });
    expect((await compareInThread(large, large)).files).toMatchObject({ added: 0, removed: 0, changed: 0 });
  });

  it("refuses a file that is not an installer any more", async () => {
    const zip = makeZip([{ name: "a", data: Buffer.from("a") }]);
    await expect(compareInThread(bytesSource(zip), bytesSource(anIpa("com.acme.app")))).rejects.toMatchObject({
      code: "invalid_installer",
      detailKey: "not_an_installer",
    });
  });
});
