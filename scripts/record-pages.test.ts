import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { listProjectFiles, projectDir } from "./lib/files.mjs";
import { importsOf } from "./lib/structure.mjs";

/** How a page learns which record it is about. */
const READS_RECORD =
  /\brequireParameter\(|\bsingle\([^\n]*\b(app|id)\)|\bquery\.(group|role|user)\b|<WithEnvironment\b/;

const textOf = (file: string) => readFileSync(join(projectDir, file), "utf8");
const fileOf = (path: string) => [`${path}.tsx`, path].find((file) => existsSync(join(projectDir, file)));

/** The text of a page with those of the files of app/ that it renders. */
function textsOf(file: string, seen = new Set<string>()): string {
  seen.add(file);
  const text = textOf(file);
  const parts = importsOf(file, text, fileOf).filter(({ to }) => to.startsWith("app/") && !seen.has(to));
  return [text, ...parts.map(({ to }) => textsOf(to, seen))].join("\n");
}

it("pages whose search parameters name a record begin again with another one", () => {
  const pages = listProjectFiles().filter((file) => /^app\/\((admin|console)\)\/.*page\.tsx$/.test(file));
  const ofRecords = pages.filter((file) => READS_RECORD.test(textsOf(file)));
  expect(ofRecords.length).toBeGreaterThan(15);
  expect(ofRecords.filter((file) => !textsOf(file).includes("<RecordPage"))).toEqual([]);
});
