import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { listProjectFiles, projectDir, walkProject } from "./files.mjs";

const ignore = "# comment\n\nnode_modules/\n*.key\n.env\n.env.*\n!.env.example\n/secrets/\nlib/generated/\n";

function withFiles(paths: string[], use: (folder: string) => void) {
  const folder = mkdtempSync(join(tmpdir(), "files-"));
  try {
    for (const path of [".gitignore", ...paths]) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), path === ".gitignore" ? ignore : "");
    }
    use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it("without Git, the files of the project are those that .gitignore does not name", () => {
  const kept = [
    ".env.example",
    ".gitignore",
    "app/secrets/a.ts",
    "docs/.env.example",
    "lib/a.ts",
    "other/lib/generated/a.ts",
  ];
  const ignored = [
    ".env",
    ".env.local",
    ".git/HEAD",
    "cli/node_modules/a.ts",
    "docs/.env",
    "lib/generated/a.ts",
    "lib/master.key",
    "node_modules/a/index.ts",
    "secrets/a.ts",
  ];
  withFiles([...kept, ...ignored], (folder) => {
    expect(walkProject(folder)).toEqual(kept);
    // The folder is no clone.
    expect(listProjectFiles(folder)).toEqual(kept);
  });
});

it("the project has the same files with and without Git", () => {
  // Another test may write or remove a file during the walk.
  const before = new Set(listProjectFiles());
  const walked = new Set(walkProject(projectDir));
  const after = new Set(listProjectFiles());
  expect([...before].filter((file) => after.has(file) && !walked.has(file))).toEqual([]);
  expect([...walked].filter((file) => !before.has(file) && !after.has(file))).toEqual([]);
});
