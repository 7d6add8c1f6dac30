import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { openShareLink } from "@/lib/features/share-links/operations/open-share-link";
import { unlockShareLink } from "@/lib/features/share-links/operations/unlock-share-link";
import { toResponse } from "@/lib/http/reply";
import { handlerOf } from "@/lib/http/routes";
import { routes } from "@/lib/routes";
import { ANONYMOUS, anApp, aToken, aUser, auditCount, send } from "@/lib/testing/console";
import { anApk, anIpa, sha256Of } from "@/lib/testing/releases";
import { storedKeys } from "@/lib/testing/store";
import { aTesterGroup } from "@/lib/testing/tester-groups";
import { setUpTestDatabase } from "@/scripts/test-database";

setUpTestDatabase();

let app: Awaited<ReturnType<typeof anApp>>;
let environmentId: string;
let token: string;
let reader: string;
/** May make share links too. */
let sharer: string;

beforeAll(async () => {
  app = await anApp({ environments: [{ name: "QA" }, { name: "Staging" }] });
  environmentId = app.environmentIds[0] as string;
  const place = { appId: app.appId, environmentId };
  ({ token } = await aToken(place));
  ({ token: sharer } = await aToken({ ...place, scopes: ["release:create", "release:update"] }));
  ({ token: reader } = await aToken({ ...place, scopes: ["release:create", "release:read"] }));
});

interface Asked {
  method?: string;
  headers?: Record<string, string>;
}

/** Sends a request to a path of the console. */
async function ask(path: string, body?: FormData, { method = body ? "POST" : "GET", headers = {} }: Asked = {}) {
  const url = new URL(path, "http://localhost");
  const request = new Request(url, { method, body, headers: { "accept-language": "en", ...headers } });
  const reply = await handlerOf(routes, url.pathname, request.method)?.(request);
  if (!reply) throw new Error(`nothing answers ${path}`);
  const response = toResponse(reply, request);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

type Entry = [name: string, value: string | { name: string; bytes: Uint8Array<ArrayBuffer> }];

/** A form with its entries in their order. */
function formOf(entries: readonly Entry[]): FormData {
  const form = new FormData();
  for (const [name, value] of entries) {
    if (typeof value === "string") form.append(name, value);
    else form.append(name, new File([value.bytes], value.name));
  }
  return form;
}

const ipa = (version: string) => ({ name: "Acme.ipa", bytes: anIpa(app.identifier, { version, build: "7" }) });

describe.each(["/compat/zealot/api/apps/upload", "/api/apps/upload"])("an upload of Zealot's client to %s", (path) => {
  it("is published with the changelog after the file, and answered as Zealot does", async () => {
    const file = ipa(`1.0.${path.length}`);
    const before = await auditCount();
    const answer = await ask(
      path,
      formOf([
        ["token", token],
        ["channel_key", environmentId],
        ["file", file],
        ["changelog", '[{"message":"Fixes the login"},{"message":"Faster start"}]'],
        ["branch", "main"],
        ["git_commit", "abc123"],
        ["custom_fields", '[{"name":"Ticket","value":"AC-7"}]'],
      ]),
    );
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    expect(answer.body).toMatchObject({
      release_version: `1.0.${path.length}`,
      build_version: "7",
      bundle_id: app.identifier,
      app: { id: app.appId },
      branch: "main",
      git_commit: "abc123",
    });
    for (const url of [answer.body.release_url, answer.body.icon_url]) expect(() => new URL(url)).not.toThrow();
    expect(answer.body.release_url).toContain(answer.body.id);
    const release = await db.release.findUniqueOrThrow({ where: { id: answer.body.id }, include: { file: true } });
    expect(release).toMatchObject({
      environmentId,
      description: "- Fixes the login\n- Faster start",
      metadata: { gitBranch: "main", gitCommit: "abc123", Ticket: "AC-7" },
      file: { sha256: sha256Of(file.bytes) },
    });
    expect(await auditCount()).toBe(before + 1);
  });
});

describe("a form of a caller who is not known", () => {
  const BOUNDARY = "boundary";
  const FIELD_BYTES = 60 * 1024;

  /** Sends a form of large fields, then the given parts. @returns the answer, and the bytes that were read of the fields */
  async function sendLarge(parts: string) {
    let read = 0;
    const text = new TextEncoder();
    const piece = (content: string) => text.encode(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${content}\r\n`);
    let fields = 90;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          fields -= 1;
          const next = piece(`name="f${fields}"\r\n\r\n${"x".repeat(FIELD_BYTES)}`);
          if (fields >= 0) {
            read += next.length;
            controller.enqueue(next);
            return;
          }
          controller.enqueue(text.encode(parts));
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const headers = { "content-type": `multipart/form-data; boundary=${BOUNDARY}` };
    const url = "http://localhost/compat/testfairy/api/upload/";
    const request = new Request(url, { method: "POST", headers, body, duplex: "half" } as RequestInit);
    const reply = await handlerOf(routes, new URL(url).pathname, request.method)?.(request);
    return { status: reply?.status, read };
  }

  it("is read up to 64 KiB and one field before the token", async () => {
    const { status, read } = await sendLarge(`--${BOUNDARY}--\r\n`);
    expect(status).toBe(401);
    expect(read).toBeLessThanOrEqual(3 * (FIELD_BYTES + 100));
  });

  it("has no file that is read before the token", async () => {
    const symbols = { name: "symbols.zip", bytes: new Uint8Array(10) };
    const entries: Entry[] = [
      ["symbols_file", symbols],
      ["api_key", token],
      ["file", ipa("9.0.0")],
    ];
    expect((await ask("/compat/testfairy/api/upload/", formOf(entries))).status).toBe(401);
  });

  it("is refused where the token is wrong before the fields after it are read", async () => {
    const entries: Entry[] = [
      ["api_key", "slw_wrong"],
      ["comment", "x"],
      ["comment", "y"],
    ];
    expect((await ask("/compat/testfairy/api/upload/", formOf(entries))).status).toBe(401);
  });

  it("is one of 120 that a network may send in a minute", async () => {
    await db.rateLimit.deleteMany({});
    const answers: Awaited<ReturnType<typeof ask>>[] = [];
    for (let count = 0; count < 121; count += 1) {
      answers.push(await ask("/compat/diawi/", formOf([["token", "slw_wrong"]])));
    }
    await db.rateLimit.deleteMany({});
    expect(answers.slice(0, 120).every(({ status }) => status === 401)).toBe(true);
    expect(answers[120]?.status).toBe(429);
    expect(Number(answers[120]?.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

describe.each([
  ["/compat/zealot/api/apps/upload", "token", "zealot"],
  ["/api/apps/upload", "token", "zealot"],
  ["/compat/testfairy/api/upload/", "api_key", "testfairy"],
  ["/compat/diawi/", "token", "diawi"],
])("an upload to %s", (path, parameter, product) => {
  const fileBeforeAll = (version: string) => formOf([["file", ipa(version)]]);
  const versionOf = (way: number) => `7.${["zealot", "testfairy", "diawi"].indexOf(product)}.${path.length}${way}`;

  it("is published with the token and the fields in the address, and with a bearer token", async () => {
    const query = new URLSearchParams({ [parameter]: token, changelog: "Query", comment: "Query" });
    const inAddress = await ask(`${path}?${query}`, fileBeforeAll(versionOf(1)));
    expect(inAddress.status, JSON.stringify(inAddress.body)).toBeLessThan(300);
    const bearer = await ask(path, fileBeforeAll(versionOf(2)), { headers: { authorization: `Bearer ${token}` } });
    expect(bearer.status, JSON.stringify(bearer.body)).toBeLessThan(300);
    const release = await db.release.findFirstOrThrow({ where: { environmentId, version: versionOf(1) } });
    expect(release.description).toBe("Query");
    expect(await db.release.count({ where: { environmentId, version: versionOf(2) } })).toBe(1);
  });

  it("is refused before its file where the token in the address is wrong, also with a right one in the form", async () => {
    const form = formOf([
      [parameter, token],
      ["file", ipa(versionOf(3))],
    ]);
    expect((await ask(`${path}?${parameter}=slw_wrong`, form)).status).toBe(401);
    expect(await db.release.count({ where: { environmentId, version: versionOf(3) } })).toBe(0);
  });
});

describe("an upload of Zealot's client", () => {
  const path = "/compat/zealot/api/apps/upload";

  it("may send the changelog as a file, and fields in the address, of which those of the form count first", async () => {
    const entries: Entry[] = [
      ["changelog", { name: "CHANGELOG.md", bytes: Buffer.from("\uFEFFFrom a file\n") }],
      ["branch", "main"],
      ["file", ipa("2.0.9")],
    ];
    const query = new URLSearchParams({ token, channel_key: environmentId, branch: "other", git_commit: "abc" });
    const answer = await ask(`${path}?${query}`, formOf(entries));
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    expect(answer.body).toMatchObject({ text_changelog: "From a file", branch: "main", git_commit: "abc" });
  });

  it("names its channel by the application and the environment", async () => {
    const entries: Entry[] = [
      ["token", token],
      ["channel_key", `${app.identifier}/QA`],
      ["file", ipa("2.0.0")],
    ];
    const answer = await ask(path, formOf(entries));
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    // Without a changelog, the notes are the file's name.
    expect(answer.body.text_changelog).toBe("Acme.ipa");
  });

  it.each([
    ["the default of fastlane", ["[]"], {}],
    ["a variable of fastlane", ['[{"name":"Ticket"', '"value":"AC-7"}]'], { Ticket: "AC-7" }],
  ])("takes custom fields as %s, a text that is split at its commas", async (what, pieces, metadata) => {
    const entries: Entry[] = [
      ["token", token],
      ["custom_fields", JSON.stringify(pieces)],
      ["file", ipa(`2.1.${what.length}`)],
    ];
    const answer = await ask(path, formOf(entries));
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    expect((await db.release.findUniqueOrThrow({ where: { id: answer.body.id } })).metadata).toEqual(metadata);
  });

  it.each<[string, () => Entry[] | Promise<Entry[]>, number, RegExp]>([
    ["without a token", () => [["file", ipa("3.0.0")]], 401, /sign in|token/i],
    [
      "with a token that does not exist",
      () => [
        ["token", "slipway_no"],
        ["file", ipa("3.0.0")],
      ],
      401,
      /token/i,
    ],
    [
      "whose token comes after the file",
      () => [
        ["file", ipa("3.0.0")],
        ["token", token],
      ],
      401,
      /“token” before the file/,
    ],
    [
      "for the channel of another environment",
      () => [
        ["token", token],
        ["channel_key", `${app.identifier}/Staging`],
        ["file", ipa("3.0.0")],
      ],
      404,
      /Staging/,
    ],
    [
      "for a channel that is none",
      () => [
        ["token", token],
        ["channel_key", "x"],
        ["file", ipa("3.0.0")],
      ],
      422,
      /^Check your entries\. channel_key: It does not exist, or you do not have access to it\.$/,
    ],
    [
      "with custom fields that are nested beyond all measure",
      () => [
        ["token", token],
        ["custom_fields", `[{"name":"a","value":${"[".repeat(30_000)}${"]".repeat(30_000)}}]`],
        ["file", ipa("3.0.0")],
      ],
      422,
      /^Check your entries\. custom_fields: /,
    ],
    [
      "with a password that is too short for a link",
      () => [
        ["token", sharer],
        ["password", "x"],
        ["file", ipa("3.0.0")],
      ],
      422,
      /^Check your entries\. password: /,
    ],
    [
      "with a password, by a token that may make no link,",
      () => [
        ["token", token],
        ["password", "correct horse"],
        ["file", ipa("3.0.0")],
      ],
      403,
      /release:update.*Nothing was published/,
    ],
    ["without a file", () => [["token", token]], 422, /file/],
    [
      "with a file that is not an installer",
      () => [
        ["token", token],
        ["file", { name: "Acme.ipa", bytes: new TextEncoder().encode("no installer") }],
      ],
      422,
      /./,
    ],
    [
      "of another application",
      async () => [
        ["token", token],
        ["file", { name: "a.apk", bytes: await anApk("com.other.app") }],
      ],
      422,
      /com\.other\.app/,
    ],
  ])("%s is refused with its reason, and nothing is left", async (_what, entries, status, message) => {
    const [keys, releases] = [await storedKeys(), await db.release.count()];
    const answer = await ask(path, formOf(await entries()));
    expect([answer.status, answer.body]).toEqual([status, { error: expect.stringMatching(message) }]);
    expect([await storedKeys(), await db.release.count()]).toEqual([keys, releases]);
  });
});

describe("what Zealot's client asks for", () => {
  const at = (path: string, query: Record<string, string>) =>
    ask(`/api/apps/${path}?${new URLSearchParams({ token: reader, channel_key: environmentId, ...query })}`);

  it("finds a version and build, and a commit", async () => {
    const published = await ask(
      "/api/apps/upload",
      formOf([
        ["token", reader],
        ["file", ipa("4.1.0")],
        ["git_commit", "cafe41"],
      ]),
    );
    const byVersion = { bundle_id: app.identifier, release_version: "4.1.0", build_version: "7" };
    expect(await at("version_exist", byVersion)).toMatchObject({ status: 200, body: { id: published.body.id } });
    const byCommit = { bundle_id: app.identifier, git_commit: "cafe41" };
    expect(await at("version_exist", byCommit)).toMatchObject({ status: 200, body: { id: published.body.id } });
    expect((await at("version_exist", { ...byVersion, build_version: "8" })).status).toBe(404);
    expect((await at("version_exist", { ...byCommit, bundle_id: "com.other" })).status).toBe(404);
    expect((await at("version_exist", { bundle_id: app.identifier })).status).toBe(422);
  });

  it("lists the releases after a version, and pages of all", async () => {
    for (const version of ["5.0.0", "5.1.0", "5.2.0"]) {
      await ask(
        "/api/apps/upload",
        formOf([
          ["token", reader],
          ["file", ipa(version)],
        ]),
      );
    }
    const versions = ({ body }: Awaited<ReturnType<typeof at>>) =>
      body.releases.map(({ release_version }: { release_version: string }) => release_version);
    expect(versions(await at("latest", { release_version: "5.0.0", build_version: "7" }))).toEqual(["5.2.0", "5.1.0"]);
    expect(versions(await at("latest", {}))).toEqual(["5.2.0"]);
    expect(versions(await at("versions", { per_page: "2", page: "2" }))[0]).toBe("5.0.0");
    expect((await at("versions", { per_page: "0" })).status).toBe(422);
  });

  it("needs a token that may read releases, of this channel", async () => {
    const { token: stranger } = await aToken({ appId: app.appId, environmentId, scopes: ["environment:read"] });
    expect((await at("latest", { token: stranger })).status).toBe(403);
    const other = app.environmentIds[1] as string;
    expect((await at("latest", { channel_key: other })).body.error).toContain(`No environment with the ID ${other}`);
    const named = await at("latest", { channel_key: `${app.identifier}/Staging` });
    expect(named).toMatchObject({ status: 404, body: { error: expect.stringContaining("environment named Staging") } });
    expect((await at("elsewhere", {})).status).toBe(404);
  });
});

describe.each(["/compat/testfairy/api/upload/", "/api/upload/"])("an upload of TestFairy's client to %s", (path) => {
  it("is published in the token's environment, and its symbols are not kept", async () => {
    const keys = await storedKeys();
    const answer = await ask(
      path,
      formOf([
        ["api_key", token],
        ["comment", "What changed"],
        ["notify", "off"],
        ["tags", "nightly,qa"],
        ["file", ipa(`6.0.${path.length}`)],
        ["symbols_file", { name: "Acme.dSYM.zip", bytes: new Uint8Array(300_000) }],
        ["proguard_file", { name: "mapping.txt", bytes: new Uint8Array(300_000) }],
      ]),
    );
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body).toMatchObject({ status: "ok", app_version: `6.0.${path.length}` });
    const id = new URL(answer.body.build_url).searchParams.get("id") as string;
    const release = await db.release.findUniqueOrThrow({ where: { id } });
    expect(release).toMatchObject({ environmentId, description: "What changed", metadata: { tags: "nightly,qa" } });
    // The installer, and no more than its icon.
    expect((await storedKeys()).length - keys.length).toBeLessThanOrEqual(2);
  });

  it("gives its groups of testers access, and tells them with `notify`", async () => {
    const names = ["QA", "Beta testers"].map((name) => `${name} ${path.length}`);
    const admin = await aUser({ admin: true });
    for (const name of names) await aTesterGroup(admin, { appId: app.appId, environmentIds: [environmentId], name });
    const upload = (version: string, fields: [string, string][], secret = sharer) =>
      ask(path, formOf([["api_key", secret], ...fields, ["file", ipa(`${version}.${path.length}`)]]));
    const distributed = async ({ body }: Awaited<ReturnType<typeof upload>>) => {
      const releaseId = new URL(body.build_url).searchParams.get("id") as string;
      const rows = await db.releaseDistribution.findMany({ where: { releaseId } });
      return rows.map(({ groupIds, notify }) => [groupIds.length, notify]);
    };
    for (const field of ["testers_groups", "testers-groups", "groups"]) {
      const named: [string, string] = [field, names.join(", ")];
      expect(await distributed(await upload(`6.2.${field.length}`, [named])), field).toEqual([[2, false]]);
    }
    const groups: [string, string] = ["groups", names.join(",")];
    expect(await distributed(await upload("6.3", [groups, ["notify", "on"]]))).toEqual([[2, true]]);
    expect((await distributed(await upload("6.4", [["testers_groups", "all"]])))[0]?.[0]).toBeGreaterThanOrEqual(2);
    expect(await distributed(await upload("6.5", [["testers_groups", ""]]))).toEqual([]);
    const unknown = await upload("6.6", [["testers_groups", "Nobody"]]);
    expect(unknown).toMatchObject({ status: 422, body: { status: "fail" } });
    const { token: publisher } = await aToken({ appId: app.appId, environmentId, scopes: ["release:create"] });
    expect((await upload("6.7", [groups], publisher)).status).toBe(403);
  });

  it.each(["ipa_file", "apk_file"])("takes the installer as %s, as TestFairy's own tools send it", async (field) => {
    const answer = await ask(
      path,
      formOf([
        ["api_key", token],
        [field, ipa(`6.1.${path.length}`)],
      ]),
    );
    expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200, body: { status: "ok" } });
  });

  it("fails as TestFairy does", async () => {
    const answer = await ask(
      path,
      formOf([
        ["api_key", "wrong"],
        ["file", ipa("6.9.0")],
      ]),
    );
    expect(answer).toMatchObject({ status: 401, body: { status: "fail", message: expect.stringMatching(/token/i) } });
  });
});

describe("an upload of Diawi's client", () => {
  it("is a job that is done", async () => {
    const { body } = await ask(
      "/compat/diawi/",
      formOf([
        ["token", token],
        ["comment", "Notes"],
        ["file", ipa("7.0.0")],
      ]),
    );
    const status = await ask(`/compat/diawi/status?token=${token}&job=${body.job}`);
    expect(status).toMatchObject({ status: 200, body: { status: 2000, hash: body.job } });
    expect(status.body.link).toContain(body.job);
  });

  it("is unknown to the tokens of other environments", async () => {
    const { body } = await ask(
      "/compat/diawi/",
      formOf([
        ["token", token],
        ["file", ipa("7.1.0")],
      ]),
    );
    const other = await aToken({ appId: app.appId, environmentId: app.environmentIds[1] as string });
    expect((await ask(`/compat/diawi/status?token=${other.token}&job=${body.job}`)).status).toBe(404);
    expect((await ask(`/compat/diawi/status?token=${token}&job=x`)).body).toMatchObject({ status: 4000 });
  });
});

it.each([
  ["/compat/zealot/api/apps/upload", "token"],
  ["/compat/testfairy/api/upload/", "api_key"],
  ["/compat/diawi/", "token"],
])("%s stores nothing for a token that must not publish", async (path, tokenField) => {
  const counts = () => Promise.all([storedKeys(), db.file.count(), db.release.count(), auditCount()]);
  const { token: other } = await aToken({ appId: app.appId, environmentId, scopes: ["release:read"] });
  const before = await counts();
  const { status } = await ask(
    path,
    formOf([
      [tokenField, other],
      ["file", ipa("8.0.0")],
    ]),
  );
  expect(status).toBe(403);
  expect(await counts()).toEqual(before);
});

it("every product's paths answer another method with 405, and unknown paths with 404", async () => {
  expect((await ask("/compat/zealot/api/apps/upload")).status).toBe(405);
  expect((await ask("/compat/testfairy/api/upload/")).status).toBe(405);
  expect((await ask("/compat/diawi/")).status).toBe(405);
  for (const product of ["zealot", "testfairy", "diawi"]) {
    expect((await ask(`/compat/${product}/nothing`)).status).toBe(404);
  }
});

describe("a password of an upload", () => {
  const opened = async (url: string) => {
    const code = url.split("/").at(-1) as string;
    const asked = await send(openShareLink, ANONYMOUS, { code });
    const unlocked = await send(unlockShareLink, ANONYMOUS, { code, password: "correct horse" });
    return [asked.body.code, unlocked.status];
  };
  const fields = (version: string): [string, string | { name: string; bytes: Uint8Array<ArrayBuffer> }][] => [
    ["token", sharer],
    ["password", "correct horse"],
    ["file", ipa(version)],
  ];

  it("makes a share link of Zealot's release, and answers its address", async () => {
    const { status, body } = await ask("/compat/zealot/api/apps/upload", formOf(fields("6.0.0")));
    expect([status, body.install_url]).toEqual([201, body.release_url]);
    expect(await opened(body.release_url)).toEqual(["password_required", 200]);
  });

  it("makes a share link of Diawi's release, which the status of the job has", async () => {
    const { body } = await ask("/compat/diawi/", formOf(fields("6.1.0")));
    const status = await ask(`/compat/diawi/status?token=${sharer}&job=${body.job}`);
    expect(status.body).toMatchObject({ status: 2000, link: expect.stringContaining("/i/") });
    expect(await opened(status.body.link)).toEqual(["password_required", 200]);
  });
});
