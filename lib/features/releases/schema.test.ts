import { describe, expect, it } from "vitest";
import { MAX_GROUPS } from "@/lib/features/testers/schema";
import { ReceivedFile } from "@/lib/http/received-file";
import { createTestingDeployInput, getTestingDeploysInput, placeSchema } from "./schema";

const ID = "019a0000-0000-7000-8000-000000000099";
const file = new ReceivedFile({ fileId: ID, storageKey: "k", name: "a.ipa", contentType: "", size: 1, sha256: "" });
const minimal = { environmentId: ID, file, description: "What changed" };
/** What the minimal input is parsed to. */
const parsedMinimal = {
  place: { environmentId: ID },
  installer: file,
  description: "What changed",
  groups: [],
  notify: true,
  override: false,
};

function parse(input: object) {
  const parsed = createTestingDeployInput.safeParse(input);
  return parsed.success ? parsed.data : parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
}

describe("the fields of a new release", () => {
  it("name as many groups of testers as an application can have", () => {
    const groups = Array.from({ length: MAX_GROUPS }, (_, index) => `Group ${index}`);
    expect(parse({ ...minimal, groups })).toMatchObject({ groups });
    expect(parse({ ...minimal, groups: [...groups, "One more"] })).toEqual([expect.stringContaining("groups")]);
  });

  it("may all be strings, as a form sends them", () => {
    const form = {
      ...minimal,
      iosEnabled: "true",
      version: " 1.0 ",
      metadata: '{"gitCommit":"abc","gitBranch":"main"}',
      fileName: "Acme.ipa",
    };
    expect(parse(form)).toEqual({
      ...parsedMinimal,
      iosEnabled: true,
      version: "1.0",
      metadata: { gitCommit: "abc", gitBranch: "main" },
      fileName: "Acme.ipa",
    });
  });

  it("count as omitted if they are empty, because scripts send variables that are not set", () => {
    const empty = {
      version: "",
      buildNumber: "",
      platformId: "",
      iosEnabled: "",
      fileName: " ",
      metadata: "",
      app: "",
    };
    expect(parse({ ...minimal, ...empty })).toEqual({ ...parsedMinimal, metadata: {} });
  });

  it("name the environment once: by its ID, or by the app's identifier and its own name", () => {
    const { environmentId, ...rest } = minimal;
    expect(parse({ ...rest, app: "com.acme.app", environment: "QA" })).toMatchObject({
      place: { app: "com.acme.app", environment: "QA" },
    });
    expect(parse(rest)).toEqual(["environmentId: required"]);
    expect(parse({ ...rest, app: "com.acme.app" })).toEqual(["environment: required"]);
    expect(parse({ ...rest, environment: "QA" })).toEqual(["app: required"]);
    expect(parse({ ...minimal, app: "com.acme.app" })).toEqual(["environmentId: placeTwice"]);
  });

  it("contain the file or the ID of an upload, and no value of a JSON body is accepted as a file", () => {
    const { file: _file, ...rest } = minimal;
    expect(parse({ ...rest, fileId: ID })).toMatchObject({ installer: { uploadedFileId: ID } });
    expect(parse(rest)).toEqual(["file: required"]);
    expect(parse({ ...minimal, fileId: ID })).toEqual(["fileId: fileTwice"]);
    expect(parse({ ...rest, file: { ...file } })).toEqual([expect.stringMatching(/^file: /)]);
  });

  it("must describe what changed", () => {
    expect(parse({ ...minimal, description: "  " })).toEqual([expect.stringMatching(/^description: /)]);
    expect(parse({ ...minimal, description: "x".repeat(5_001) })).toEqual([expect.stringMatching(/^description: /)]);
  });

  it("contain at most 50 entries of metadata, each a string of at most 1,000 characters", () => {
    const entries = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, "v"]));
    expect(parse({ ...minimal, metadata: entries(50) })).toMatchObject({ metadata: entries(50) });
    expect(parse({ ...minimal, metadata: entries(51) })).toEqual([expect.stringMatching(/^metadata: /)]);
    expect(parse({ ...minimal, metadata: { a: 1 } })).toEqual([expect.stringMatching(/^metadata\.a: /)]);
    expect(parse({ ...minimal, metadata: { a: "x".repeat(1_001) } })).toEqual([expect.stringMatching(/^metadata/)]);
    for (const metadata of ["{", "[]", "1", '{"a":{}}']) {
      expect(parse({ ...minimal, metadata })).toEqual([expect.stringMatching(/^metadata/)]);
    }
  });
});

it("the environment can be parsed before the other fields have arrived", () => {
  expect(placeSchema.safeParse({ description: "x", environmentId: ID })).toMatchObject({ success: true });
  expect(placeSchema.safeParse({ description: "x" }).success).toBe(false);
});

describe("the filters of a list", () => {
  const filters = (more: object) => getTestingDeploysInput.parse({ environmentId: ID, ...more });

  it("accept instants and whole days in UTC", () => {
    expect(filters({ from: "2026-11-20", to: "2026-11-21" })).toMatchObject({
      from: new Date("2026-11-20T00:00:00.000Z"),
      to: new Date("2026-11-21T23:59:59.999Z"),
    });
    expect(filters({ from: "2026-11-20T12:00:00+01:00" }).from).toEqual(new Date("2026-11-20T11:00:00Z"));
    expect(() => filters({ from: "yesterday" })).toThrow();
    expect(() => filters({ from: "2026-02-30" })).toThrow();
    expect(() => filters({ from: "0000-12-31" })).toThrow();
    expect(() => filters({ to: "9999-12-31T23:59:59-01:00" })).toThrow();
  });

  it("sort by date, version or size, newest first by default", () => {
    expect(filters({}).sort).toBe("-deployDate");
    expect(filters({ sort: "deployDate" }).sort).toBe("deployDate");
    expect(filters({ sort: "-version" }).sort).toBe("-version");
    expect(filters({ sort: "size" }).sort).toBe("size");
    expect(() => filters({ sort: "fileName" })).toThrow();
  });
});
