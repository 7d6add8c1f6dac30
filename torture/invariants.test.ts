import { describe, expect, test } from "vitest";
import { type FileRow, releaseProblems, storeProblems, uploadProblems } from "./invariants";

describe("the store and the rows", () => {
  const file: FileRow = {
    id: "f",
    storageKey: "installers/f",
    state: "ready",
    size: 3,
    sha256: "aa",
    hasUpload: false,
  };
  const begun: FileRow = {
    ...file,
    id: "b",
    storageKey: "installers/b",
    state: "pending",
    sha256: null,
    hasUpload: true,
  };
  const objects = new Map([["installers/f", 3]]);
  const problemsOf = (rows: FileRow[], stored = objects, sha256: string | null = "aa") =>
    storeProblems(rows, stored, async () => sha256);

  test("agree where each file has its bytes, and an upload goes on", async () => {
    expect(await problemsOf([file, begun])).toEqual([]);
    expect(await problemsOf([file], objects, null)).toEqual([]);
  });

  test.each([
    ["no bytes", [file], new Map(), "aa", "the file f has no of its 3 bytes"],
    ["fewer bytes", [file], new Map([["installers/f", 2]]), "aa", "the file f has 2 of its 3 bytes"],
    ["other bytes", [file], objects, "bb", "the file f has other bytes"],
    ["bytes without a row", [], objects, "aa", "the object installers/f has no row"],
    [
      "a file that is half removed",
      [{ ...file, state: "deleting" }],
      objects,
      "aa",
      "the file f is still to be removed",
    ],
    [
      "an abandoned file",
      [file, { ...begun, hasUpload: false }],
      objects,
      "aa",
      "the file b was abandoned and is still there",
    ],
  ] as const)("do not agree with %s", async (_, rows, stored, sha256, problem) => {
    expect(await problemsOf([...rows], stored as Map<string, number>, sha256)).toEqual([problem]);
  });
});

describe("the releases and what their clients know", () => {
  const row = { id: "r", sha256: "aa", states: ["ready", "ready"] };
  const known = { sha256: "aa", releaseId: "r", deletion: "none" } as const;

  test("agree; what was not answered is there or not", () => {
    expect(releaseProblems([row], [known])).toEqual([]);
    for (const rows of [[row], []]) {
      expect(releaseProblems(rows, [{ ...known, releaseId: null }])).toEqual([]);
      expect(releaseProblems(rows, [{ ...known, deletion: "sent" }])).toEqual([]);
    }
    expect(releaseProblems([], [{ ...known, deletion: "answered" }])).toEqual([]);
  });

  test.each([
    ["a lost release", [], [known], "the release r was answered and is lost"],
    ["a lost deletion", [row], [{ ...known, deletion: "answered" }], "the release r was deleted and is there"],
    ["a release that nobody sent", [row], [], "the release r was deleted or never sent, and is there"],
    ["a release that exists twice", [row, { ...row, id: "s" }], [known], "the installer of r was published 2 times"],
    [
      "a release whose file is being removed",
      [{ ...row, states: ["deleting"] }],
      [known],
      "the release r has files without bytes: deleting",
    ],
    ["another release in its place", [{ ...row, id: "s" }], [known], "the release r was answered and is lost"],
  ] as const)("do not agree with %s", (_, rows, releases, problem) => {
    expect(releaseProblems(rows as never, releases as never)).toEqual([problem]);
  });
});

describe("an upload", () => {
  const known = { uploadId: "u", parts: new Set([1, 2]), fileId: null };

  test("has the parts that were answered, or its file", () => {
    expect(uploadProblems({ parts: [{ number: 1 }, { number: 2 }], fileId: null }, known)).toEqual([]);
    expect(uploadProblems({ parts: [], fileId: "f" }, { ...known, fileId: "f" })).toEqual([]);
  });

  test("that lost a part or its file is reported", () => {
    expect(uploadProblems({ parts: [{ number: 1 }], fileId: null }, known)).toEqual(["the upload u lost the parts 2"]);
    expect(uploadProblems({ parts: [], fileId: null }, { ...known, fileId: "f" })).toEqual([
      "the upload u lost its file",
    ]);
  });
});
