import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { DOCS_GROUPS } from "../../components/docs/list";
import { projectDir } from "./files.mjs";

const BEGIN = "<!-- <pages> -->\n";
const END = "<!-- </pages> -->";

/** The title of a file of the documentation. */
function titleOf(path: string): string {
  return /^# (.+)$/m.exec(readFileSync(join(projectDir, path), "utf8"))?.[1] ?? path;
}

/** The list of all pages in Markdown, in the groups and the order of `components/docs/list.ts`. */
function listOfPages(): string {
  const groups = DOCS_GROUPS.map(({ title, entries }) => {
    const lines = entries.map(({ file, summary }) => {
      const path = posix.join("docs", file);
      return `- [${titleOf(path)}](${path}). ${summary}\n`;
    });
    return `### ${title}\n\n${lines.join("")}`;
  });
  return `\n${groups.join("\n")}\n`;
}

/** The README with the list of pages. */
export function withPages(readme: string): string {
  const [head = ""] = readme.split(BEGIN);
  const [, tail = ""] = readme.split(END);
  return `${head}${BEGIN}${listOfPages()}${END}${tail}`;
}
