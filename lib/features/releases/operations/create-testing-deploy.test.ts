import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { abortUpload } from "@/lib/features/uploads/operations/abort-upload";
import { createUpload } from "@/lib/features/uploads/operations/create-upload";
import { newId } from "@/lib/kernel/ids";
import { storage } from "@/lib/storage";
import { StorageError } from "@/lib/storage/driver";
import { emptyWholeBin } from "@/lib/testing/bin";
import {
  ANONYMOUS,
  type Answer,
  anApp,
  aToken,
  aUser,
  auditCount,
  type Caller,
  send,
  sendRaw,
} from "@/lib/testing/console";
import { withRenderer } from "@/lib/testing/images";
import { anApk, anIpa, aRelease, publish, releaseForm, sha256Of, uploadInParts } from "@/lib/testing/releases";
import { afterSweep, storedKeys, withFault } from "@/lib/testing/store";
import { setUpTestDatabase } from "@/scripts/test-database";
import { createTestingDeploy } from "./create-testing-deploy";
import { deleteTestingDeploy } from "./delete-testing-deploy";

const IOS = "019a0000-0000-7000-8000-000000000011";
const ANDROID = "019a0000-0000-7000-8000-000000000012";

setUpTestDatabase();

let admin: Awaited<ReturnType<typeof aUser>>;
let app: Awaited<ReturnType<typeof anApp>>;
let environmentId: string;

beforeAll(async () => {
  admin = await aUser({ admin: true });
  app = await anApp({ environments: [{ name: "QA" }, { name: "Staging", identifiers: ["com.acme.staging"] }] });
  environmentId = app.environmentIds[0] as string;
});

/** Whose release in which environment has these bytes. */
function releasesOf(bytes: Uint8Array) {
  return db.release.findMany({ where: { file: { sha256: sha256Of(bytes) } } });
}

async function json(caller: Caller, input: Record<string, unknown>): Promise<Answer> {
  return send(createTestingDeploy, caller, { description: "What changed", environmentId, ...input });
}

describe("a release by a form", () => {
  it("is read from an .ipa, stored with its icon, and returned with all fields", async () => {
    const bytes = anIpa(app.identifier, { name: "Acme", version: "2.4.0", build: "118", minOs: "16.0" });
    const answer = await publish(admin, bytes, "Acme 2.4.ipa", {
      environmentId,
      description: " Fixes the login. ",
      "metadata[gitCommit]": "abc123",
      "metadata[buildUrl]": "https://ci.example/1",
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    const { id } = answer.body;
    expect(answer.body).toEqual({
      id: expect.any(String),
      app: { id: app.appId, name: app.name, identifier: app.identifier },
      environment: { id: environmentId, name: "QA" },
      platform: { id: IOS, name: "iOS", kind: "ios", logoUrl: "/platforms/ios.svg" },
      version: "2.4.0",
      buildNumber: "118",
      identifier: app.identifier,
      displayName: "Acme",
      description: "Fixes the login.",
      descriptionHtml: '<p dir="auto">Fixes the login.</p>',
      descriptionSummary: "Fixes the login.",
      iosEnabled: true,
      keep: false,
      mandatory: false,
      fileName: "Acme 2.4.ipa",
      size: bytes.length,
      sha256: sha256Of(bytes),
      iconUrl: expect.stringMatching(/^\/api\/files\/download-file\?id=/),
      minOs: "16.0",
      deployDate: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
      createdBy: { kind: "user", id: admin.userId, name: "Ada Lovelace", avatarUrl: null },
      configurationVersion: null,
      universal: null,
      warnings: [],
      metadata: { gitCommit: "abc123", buildUrl: "https://ci.example/1" },
      installer: expect.objectContaining({
        kind: "ipa",
        profileType: expect.any(String),
        entitlements: expect.any(Object),
      }),
      downloads: 0,
      installUrl: `http://localhost:3000/releases?id=${id}`,
      qrUrl: `http://localhost:3000/api/apps/download-testing-deploy-qr-code?id=${id}`,
    });
    const row = await db.release.findUniqueOrThrow({ where: { id }, include: { file: true, iconFile: true } });
    expect([row.file.state, row.iconFile?.state, row.iconFile?.contentType]).toEqual(["ready", "ready", "image/png"]);
    expect(await storage().head(row.file.storageKey)).toEqual({ size: bytes.length });
    const record = await db.auditRecord.findFirstOrThrow({ where: { recordId: id } });
    expect([record.table, record.action, record.userId]).toEqual(["Release", "create", admin.userId]);
    expect(record.changes).toMatchObject({ version: [null, "2.4.0"], sha256: [null, sha256Of(bytes)] });
  });

  it("is published with a bundle ID of one part, the application's or an environment's", async () => {
    const one = await anApp({ identifier: "Test", environments: [{ name: "QA", identifiers: ["Test2"] }] });
    const place = { environmentId: one.environmentIds[0] as string };
    for (const identifier of ["Test", "Test2"]) {
      const answer = await publish(admin, anIpa(identifier), "Test.ipa", place);
      expect([answer.status, answer.body.identifier]).toEqual([201, identifier]);
    }
  });

  it("has no icon if drawing it takes too long", async () => {
    const program = fileURLToPath(new URL("../../../storage/images/testing/scripted-process.mjs", import.meta.url));
    const answer = await withRenderer({ program, drawTimeoutMs: 500 }, () =>
      publish(admin, anIpa(app.identifier), "Acme.ipa", { environmentId }),
    );
    expect([answer.status, answer.body.iconUrl]).toEqual([201, null]);
  });

  it("is not published while the process that draws icons does not start", async () => {
    const bytes = anIpa(app.identifier);
    const answer = await withRenderer({ program: "/no/such/program.mjs" }, () =>
      publish(admin, bytes, "Acme.ipa", { environmentId }),
    );
    expect(answer.body).toMatchObject({ status: 503, code: "unavailable" });
    expect(await releasesOf(bytes)).toEqual([]);
  });

  it("is read from an .apk, for Android and not for iOS", async () => {
    const answer = await publish(admin, await anApk(app.identifier), "app-release.apk", { environmentId });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    expect(answer.body).toMatchObject({
      platform: { id: ANDROID },
      iosEnabled: false,
      installer: { kind: "apk", signatureSchemes: ["v2"], signingSha256: [expect.stringMatching(/^[0-9a-f]{64}$/)] },
    });
  });

  it("is also accepted with the fields after the file", async () => {
    const answer = await publish(admin, anIpa(app.identifier), "Acme.ipa", { environmentId }, { fileFirst: true });
    expect(answer.status).toBe(201);
  });

  it("is published by a token, by the app's identifier and the environment's name in any case", async () => {
    const token = await aToken({ appId: app.appId, environmentId });
    const names = { app: app.identifier.toUpperCase(), environment: "qa" };
    const answer = await publish(token, anIpa(app.identifier), "Acme.ipa", names);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    expect(answer.body.createdBy).toEqual({ kind: "token", id: token.tokenId, name: "CI", avatarUrl: null });
  });

  it("accepts a given version, build number, platform, name and flag", async () => {
    const bytes = anIpa(app.identifier, { version: "3.0", build: "7" });
    const given = { version: "3.0", buildNumber: "7", platformId: IOS, iosEnabled: "False", fileName: " Ácme.ipa" };
    const answer = await publish(admin, bytes, "x.ipa", { environmentId, ...given });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    expect(answer.body).toMatchObject({ iosEnabled: false, fileName: "Ácme.ipa" });
  });

  it.each([
    ["Makefile", "must end with one of these: .ipa"],
    ["slipway.json", "must end with one of these: .ipa"],
    ["Acme.apk", "must end with one of these: .ipa"],
    ["../Acme.ipa", "without folders"],
    ["nul.ipa", "without folders"],
    ["Acme\u202e.ipa", "without folders"],
  ])("is refused with the file name %j", async (fileName, words) => {
    const answer = await publish(admin, anIpa(app.identifier), "x.ipa", { environmentId, fileName });
    expect([answer.status, answer.body.errors?.[0]?.path]).toEqual([422, "fileName"]);
    expect(answer.body.errors[0].message).toContain(words);
  });

  it("keeps the extension of a name that has to be shortened", async () => {
    const answer = await publish(admin, anIpa(app.identifier), `${"x".repeat(300)}.ipa`, { environmentId });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    expect(answer.body.fileName).toBe(`${"x".repeat(196)}.ipa`);
  });

  it("accepts the environment's further identifiers", async () => {
    const staging = app.environmentIds[1] as string;
    const answer = await publish(admin, anIpa("com.acme.staging"), "Acme.ipa", { environmentId: staging });
    expect(answer.status).toBe(201);
    expect(answer.body.identifier).toBe("com.acme.staging");
  });
});

describe("the same bytes once more", () => {
  it("are answered 200 with the existing release, and leave no second file", async () => {
    const bytes = anIpa(app.identifier);
    const first = await publish(admin, bytes, "Acme.ipa", { environmentId });
    const files = await db.file.count();
    const before = await auditCount();
    const second = await publish(admin, bytes, "Other name.ipa", { environmentId, description: "Retry" });
    expect([second.status, second.body]).toEqual([200, { ...first.body, repeated: true }]);
    expect(first.body).not.toHaveProperty("repeated");
    expect(await auditCount()).toBe(before + 1);
    expect(await db.auditRecord.findFirst({ orderBy: { id: "desc" } })).toMatchObject({
      action: "create-repeated",
      recordId: first.body.id,
    });
    await expect.poll(() => db.file.count()).toBe(files);
  });

  it("make one release if they arrive twice at the same moment", async () => {
    const bytes = anIpa(app.identifier);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => publish(admin, bytes, "Acme.ipa", { environmentId })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await releasesOf(bytes)).toHaveLength(1);
  });

  it("make another release in another environment", async () => {
    const bytes = anIpa(app.identifier);
    const first = await publish(admin, bytes, "Acme.ipa", { environmentId });
    const second = await publish(admin, bytes, "Acme.ipa", { environmentId: app.environmentIds[1] as string });
    expect(second.status).toBe(201);
    expect(second.body.id).not.toBe(first.body.id);
  });

  it("are another release if only the version is the same", async () => {
    const fields = { version: "9.9", build: "9" };
    const first = await publish(admin, anIpa(app.identifier, fields), "Acme.ipa", { environmentId });
    const second = await publish(admin, anIpa(app.identifier, fields), "Acme.ipa", { environmentId });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.id).not.toBe(first.body.id);
  });
});

describe("a release is refused, and nothing of it kept,", () => {
  async function refused(call: () => Promise<Answer>): Promise<Answer> {
    const [audits, releases, keys] = [await auditCount(), await db.release.count(), await storedKeys()];
    const files = await db.file.count();
    const got = await call();
    expect(got.status).toBeGreaterThanOrEqual(400);
    expect([await auditCount(), await db.release.count()]).toEqual([audits, releases]);
    // A file that is not removed within half a second is removed after the answer.
    await expect.poll(async () => [await db.file.count(), await storedKeys()]).toEqual([files, keys]);
    return got;
  }

  /** Sends a form without a file. @param content the headers and the text of its description, in latin1 */
  async function sendNotes(content: string): Promise<Answer> {
    const place = `--B\r\nContent-Disposition: form-data; name="environmentId"\r\n\r\n${environmentId}`;
    const notes = `--B\r\nContent-Disposition: form-data; ${content}`;
    const response = await sendRaw(createTestingDeploy, admin, undefined, {
      headers: { "content-type": "multipart/form-data; boundary=B" },
      body: Buffer.from([place, notes, "--B--\r\n"].join("\r\n"), "latin1"),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  it("if the installer is another app's, with both identifiers in the message", async () => {
    const { status, body } = await refused(() => publish(admin, anIpa("com.other.app"), "Acme.ipa", { environmentId }));
    expect([status, body.code]).toEqual([422, "identifier_mismatch"]);
    expect(body.detail).toContain("com.other.app");
    expect(body.detail).toContain(app.identifier);
  });

  it("if the identifier differs only in case", async () => {
    const place = { environmentId: app.environmentIds[1] as string };
    const { body } = await refused(() => publish(admin, anIpa("com.Acme.Staging"), "Acme.ipa", place));
    expect(body.code).toBe("identifier_mismatch");
  });

  it("if a flag is neither true nor false, with what is allowed", async () => {
    const fields = { environmentId, mandatory: "maybe" };
    const { status, body } = await refused(() => publish(admin, anIpa(app.identifier), "Acme.ipa", fields));
    expect([status, body.errors[0].path]).toEqual([422, "mandatory"]);
    expect(body.errors[0].message).toBe(
      "The value is not allowed. Allowed values: 0, 1, true, false, True, False, TRUE, FALSE.",
    );
  });

  it.each<Record<string, string>>([{ version: "1.2.3" }, { buildNumber: "99" }])(
    "if the installer has another value than the field: %o",
    async (given) => {
      const { status, body } = await refused(() =>
        publish(admin, anIpa(app.identifier), "Acme.ipa", { environmentId, ...given }),
      );
      expect([status, body.code]).toEqual([422, "version_mismatch"]);
    },
  );

  it("if the file is not an installer, with the reason in the message", async () => {
    const bytes = Uint8Array.from(Buffer.from("not an installer at all"));
    const { status, body } = await refused(() => publish(admin, bytes, "Acme.ipa", { environmentId }));
    expect([status, body.code]).toEqual([422, "invalid_installer"]);
    expect(body.detail).toContain("not a ZIP archive");
  });

  it("if the extension is of another kind", async () => {
    const { body } = await refused(() => publish(admin, anIpa(app.identifier), "Acme.apk", { environmentId }));
    expect(body.code).toBe("invalid_installer");
  });

  it("if the extension is not an installer's", async () => {
    const { status, body } = await refused(() => publish(admin, anIpa(app.identifier), "Acme.zip", { environmentId }));
    expect([status, body.code]).toEqual([415, "unsupported_media_type"]);
  });

  it("if the platform is of another kind, inactive or unknown", async () => {
    const off = await db.platform.create({ data: { id: newId(), name: "Old iOS", kind: "ios", status: "inactive" } });
    for (const platformId of [ANDROID, off.id, newId()]) {
      const { status, body } = await refused(() =>
        publish(admin, anIpa(app.identifier), "Acme.ipa", { environmentId, platformId }),
      );
      expect([status, body.errors[0].path]).toEqual([422, "platformId"]);
    }
  });

  it("if a field is invalid, missing or unknown", async () => {
    for (const [fields, path] of [
      [{ environmentId, description: "" }, "description"],
      [{ environmentId, metadata: "{" }, "metadata"],
      [{ environmentId, surprise: "1" }, "surprise"],
      [{ environmentId, description: "\0" }, "description"],
      [{ environmentId, metadata: '{"gitCommit":1}' }, "metadata.gitCommit"],
      [{ environmentId, metadata: '{"gitCommit":"\\u0000"}' }, "metadata.gitCommit"],
      [{ environmentId, metadata: '{"gitCommit":"\\ud800"}' }, "metadata.gitCommit"],
      [{ environmentId, metadata: "{}", "metadata[gitCommit]": "abc" }, "metadata"],
      [{ environmentId, "metadata[gitCommit]": "abc", metadata: "{}" }, "metadata"],
      [{}, "environmentId"],
    ] as [Record<string, string>, string][]) {
      const { status, body } = await refused(() => publish(admin, anIpa(app.identifier), "Acme.ipa", fields));
      expect([status, body.errors[0].path]).toEqual([422, path]);
    }
  });

  it("if a field is sent twice, of any type", async () => {
    for (const [name, path] of [
      ["description", "description"],
      ["metadata[gitCommit]", "metadata.gitCommit"],
    ] as const) {
      const form = releaseForm(anIpa(app.identifier), "Acme.ipa", { environmentId, [name]: "one" });
      form.append(name, "two");
      const { status, body } = await refused(() => send(createTestingDeploy, admin, form));
      expect([status, body.errors]).toEqual([422, [expect.objectContaining({ path, code: "invalid_type" })]]);
    }
  });

  it.each([
    ["is not in UTF-8, which would be stored as another string", 'name="description"\r\n\r\ncaf\u00e9', "UTF-8"],
    [
      "is not in the encoding that it names",
      'name="description"\r\nContent-Type: text/plain; charset=utf-16\r\n\r\ncaf\u00e9s',
      "UTF-8",
    ],
    ["is an installer", 'name="description"; filename="Acme.ipa"\r\n\r\nPK\u00ff', "“file”"],
    ["is too long a file", `name="description"; filename="NOTES.md"\r\n\r\n${"x".repeat(65_537)}`, "64 KiB"],
  ])("if a field %s", async (_, content, words) => {
    const { status, body } = await refused(() => sendNotes(content));
    expect([status, body.errors[0].path]).toEqual([422, "description"]);
    expect(body.errors[0].message).toContain(words);
  });

  it.each([
    ["a text in the encoding that it names", 'name="description"\r\nContent-Type: text/plain; charset=ISO-8859-1'],
    ["a file of text", 'name="description"; filename="NOTES.md"\r\nContent-Type: text/plain; charset=ISO-8859-1'],
  ])("not if a field is %s", async (_, head) => {
    const { body } = await sendNotes(`${head}\r\n\r\ncaf\u00e9`);
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(["file"]);
  });

  it("if it has no file, or two", async () => {
    const none = new FormData();
    none.append("environmentId", environmentId);
    none.append("description", "x");
    expect((await refused(() => send(createTestingDeploy, admin, none))).body.errors[0].path).toBe("file");
    const two = releaseForm(anIpa(app.identifier), "Acme.ipa", { environmentId });
    two.append("file", new File(["x"], "Acme.ipa"));
    expect((await refused(() => send(createTestingDeploy, admin, two))).body.errors[0].path).toBe("file");
  });

  it("if the caller may not publish in the environment", async () => {
    const [qa, staging] = app.environmentIds as [string, string];
    const elsewhere = { scopes: ["release:create" as const], apps: [{ appId: app.appId, environmentIds: [staging] }] };
    const reader = { scopes: ["release:read" as const], apps: [{ appId: app.appId }] };
    for (const fileFirst of [false, true]) {
      for (const [caller, status] of [
        [ANONYMOUS, 401],
        [await aUser(), 404],
        [await aUser({ grants: [elsewhere] }), 404],
        [await aUser({ grants: [reader] }), 403],
        [await aToken({ appId: app.appId, environmentId: staging }), 404],
        [await aToken({ appId: app.appId, environmentId: qa, scopes: ["release:read"] }), 403],
      ] as [Caller, number][]) {
        const sent = () => publish(caller, anIpa(app.identifier), "Acme.ipa", { environmentId: qa }, { fileFirst });
        expect((await refused(sent)).status).toBe(status);
      }
    }
  });

  it("if the application or environment is not found, which is named without saying whether it exists elsewhere", async () => {
    const other = await anApp({ environments: [{ name: "QA" }] });
    const token = await aToken({ appId: app.appId, environmentId });
    const english = { headers: { ...token.headers, "accept-language": "en" } };
    const detailOf = async (place: Record<string, string>) => {
      const { status, body } = await refused(() => publish(english, anIpa(app.identifier), "Acme.ipa", place));
      expect([status, body.code]).toEqual([404, "not_found"]);
      return body.detail as string;
    };
    const noApp = (identifier: string) => `No application with the identifier ${identifier} is available to you.`;
    const noEnvironment = (name: string) => `The application ${app.identifier} has no environment named ${name}`;
    // One that exists, and one that does not.
    for (const identifier of [other.identifier, "com.acme.no"]) {
      expect(await detailOf({ app: identifier, environment: "QA" })).toContain(noApp(identifier));
    }
    for (const environment of ["Staging", "Stagin"]) {
      expect(await detailOf({ app: app.identifier, environment })).toContain(noEnvironment(environment));
    }
    const [elsewhere] = other.environmentIds as [string];
    for (const id of [elsewhere, newId()]) {
      expect(await detailOf({ environmentId: id })).toContain(`No environment with the ID ${id} is available to you.`);
    }
  });

  it("if the app or the environment is inactive", async () => {
    const off = await anApp({ environments: [{ name: "Old", status: "inactive" }] });
    const place = { environmentId: off.environmentIds[0] as string };
    const { status, body } = await refused(() => publish(admin, anIpa(off.identifier), "Acme.ipa", place));
    expect([status, body.code, body.errors[0].path]).toEqual([409, "conflict", "environmentId"]);
    const grants = [{ scopes: ["release:create" as const], apps: [{ appId: off.appId }] }];
    const user = await aUser({ grants });
    const outsider = await refused(() => publish(user, anIpa(off.identifier), "Acme.ipa", place));
    expect(outsider.status).toBe(404);
  });
});

describe("a release by the id of an upload", () => {
  it("is made of the caller's own finished upload", async () => {
    const bytes = anIpa(app.identifier);
    const { fileId, sha256 } = await uploadInParts(admin, bytes, "Acme.ipa");
    const answer = await json(admin, { fileId, metadata: { gitBranch: "main" } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    expect(answer.body).toMatchObject({ sha256, fileName: "Acme.ipa", metadata: { gitBranch: "main" } });
  });

  it("is returned again when the request is repeated", async () => {
    const { fileId } = await uploadInParts(admin, anIpa(app.identifier), "Acme.ipa");
    const first = await json(admin, { fileId });
    const second = await json(admin, { fileId });
    expect([second.status, second.body]).toEqual([200, { ...first.body, repeated: true }]);
  });

  it("is returned again to a caller who may not download it, and the file is nobody else's", async () => {
    const grants = [{ scopes: ["release:create" as const], apps: [{ appId: app.appId }] }];
    const [publisher, colleague] = [await aUser({ grants }), await aUser({ grants })];
    const { fileId } = await uploadInParts(publisher, anIpa(app.identifier), "Acme.ipa");
    const first = await json(publisher, { fileId });
    const second = await json(publisher, { fileId });
    expect([first.status, second.status, second.body]).toEqual([201, 200, { ...first.body, repeated: true }]);
    for (const place of app.environmentIds) {
      const { status, body } = await json(colleague, { fileId, environmentId: place });
      expect([status, body.errors?.[0].path]).toEqual([422, "fileId"]);
    }
  });

  it("is the existing release if its bytes were published another way, for every repetition", async () => {
    const bytes = anIpa(app.identifier);
    const release = await publish(admin, bytes, "Acme.ipa", { environmentId });
    const { fileId } = await uploadInParts(admin, bytes, "Acme.ipa");
    for (const answer of [await json(admin, { fileId }), await json(admin, { fileId })]) {
      expect([answer.status, answer.body.id]).toEqual([200, release.body.id]);
    }
  });

  it("is made in a second environment from a file whose release the caller may download", async () => {
    const release = await aRelease(admin, { identifier: app.identifier, environmentId });
    const [, staging] = app.environmentIds as [string, string];
    const colleague = await aUser({
      grants: [{ scopes: ["release:create", "release:download"], apps: [{ appId: app.appId }] }],
    });
    const known = await send(createUpload, colleague, { name: "Acme.ipa", size: release.size, sha256: release.sha256 });
    expect(Object.keys(known.body)).toEqual(["fileId"]);
    const answer = await json(colleague, { fileId: known.body.fileId, environmentId: staging });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);

    expect((await send(deleteTestingDeploy, admin, { id: release.id })).status).toBe(204);
    await emptyWholeBin();
    const { file } = await db.release.findUniqueOrThrow({ where: { id: answer.body.id }, include: { file: true } });
    expect(file.state).toBe("ready");
    expect(await storage().head(file.storageKey)).not.toBeNull();
  });

  it("is refused for another caller's upload, an unfinished one, an image, and an unknown ID", async () => {
    const colleague = await aUser({ grants: [{ scopes: ["release:create"], apps: [{ appId: app.appId }] }] });
    const { fileId } = await uploadInParts(colleague, anIpa(app.identifier), "Acme.ipa");
    const unfinished = await send(createUpload, admin, { name: "Acme.ipa", size: 5 });
    const upload = await db.upload.findUniqueOrThrow({ where: { id: unfinished.body.uploadId } });
    const picture = await db.file.findFirstOrThrow({ where: { purpose: "image", state: "ready" } });
    for (const id of [fileId, upload.fileId, picture.id, newId()]) {
      const { status, body } = await json(admin, { fileId: id });
      expect([status, body.errors[0].path]).toEqual([422, "fileId"]);
    }
    expect((await json(colleague, { fileId })).status).toBe(201);
    expect((await send(abortUpload, admin, { uploadId: unfinished.body.uploadId })).status).toBe(204);
  });

  it("is refused for a file that is published where the caller cannot read releases", async () => {
    const other = await anApp();
    const hidden = await aRelease(admin, {
      identifier: other.identifier,
      environmentId: other.environmentIds[0] as string,
    });
    const { fileId } = await db.release.findUniqueOrThrow({ where: { id: hidden.id } });
    const stranger = await aUser({ grants: [{ scopes: ["release:create"], apps: [{ appId: app.appId }] }] });
    expect((await json(stranger, { fileId })).status).toBe(422);
    const known = await send(createUpload, stranger, { name: "Acme.ipa", size: hidden.size, sha256: hidden.sha256 });
    expect(known.body.fileId).toBeUndefined();
    await send(abortUpload, stranger, { uploadId: known.body.uploadId });
  });
});

describe("after any failure while a release is made, the store and the tables agree after the sweep", () => {
  async function agrees(): Promise<void> {
    const { stored, known, unfinished } = await afterSweep();
    expect(stored).toEqual(known);
    expect(unfinished).toBe(0);
  }

  it.each([
    ["put", "before"],
    ["put", "after"],
    ["get", "before"],
    ["delete", "before"],
  ] as const)("the store, %s %s", async (method, when) => {
    const before = await auditCount();
    // The delete fails while the file of a refused release is removed.
    const bytes = method === "delete" ? anIpa("com.other.app") : anIpa(app.identifier);
    const answer = await withFault({ method, when }, () => publish(admin, bytes, "Acme.ipa", { environmentId }));
    expect(answer.status).toBe(method === "delete" ? 422 : 503);
    expect(await releasesOf(bytes)).toEqual([]);
    expect(await auditCount()).toBe(before);
    await agrees();
  });

  it("the store, full", async () => {
    const error = new StorageError("full");
    const answer = await withFault({ method: "put", when: "before", error }, () =>
      publish(admin, anIpa(app.identifier), "Acme.ipa", { environmentId }),
    );
    expect([answer.status, answer.body.code]).toEqual([507, "storage_full"]);
    await agrees();
  });

  it.each([
    ["Release", '"version" IS NULL'],
    ["AuditRecord", `"action" <> 'create'`],
    ["File", `"state" <> 'ready'`],
  ])("the transaction, at %s", async (table, condition) => {
    await db.$executeRawUnsafe(`ALTER TABLE "${table}" ADD CONSTRAINT broken CHECK (${condition}) NOT VALID`);
    const bytes = anIpa(app.identifier);
    try {
      const answer = await publish(admin, bytes, "Acme.ipa", { environmentId });
      expect([answer.status, answer.body.code]).toEqual([500, "unexpected"]);
    } finally {
      await db.$executeRawUnsafe(`ALTER TABLE "${table}" DROP CONSTRAINT broken`);
    }
    expect(await releasesOf(bytes)).toEqual([]);
    await agrees();
    expect((await publish(admin, bytes, "Acme.ipa", { environmentId })).status).toBe(201);
  });
});
