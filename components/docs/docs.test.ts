import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { listProjectFiles, projectDir } from "@/scripts/lib/files.mjs";
import { DOCS_PAGES } from "./pages";
import { linkTarget, parsePage, searchDocs } from "./parse";
import { DOCS_PICTURES } from "./pictures";

/** Whether a path of the console, with its fragment, is a section of the documentation. */
function isSection(target: string): boolean {
  const [path, fragment] = target.split("#");
  const page = DOCS_PAGES.find((one) => one.path === path);
  return page !== undefined && (!fragment || page.sections.some(({ anchor }) => anchor === fragment));
}

const inline = (file: string) =>
  (DOCS_PAGES.find((page) => page.file === file)?.tokens ?? []).flatMap(({ children }) => children ?? []);

describe("the documentation that the console serves", () => {
  it.each(DOCS_PAGES.map(({ file }) => file))("has no link in %s that leads nowhere", (file) => {
    const links = inline(file).filter(({ type }) => type === "link_open");
    const broken = links
      .map((token) => String(token.attrGet("href") ?? ""))
      .filter((href) => {
        const target = linkTarget(href, file, DOCS_PAGES);
        if (target === null)
          return !existsSync(join(projectDir, "docs", posix.dirname(file), href.split("#")[0] ?? ""));
        const page = DOCS_PAGES.find((one) => one.file === file);
        return /^https?:/.test(target) ? false : !isSection(target.startsWith("#") ? `${page?.path}${target}` : target);
      });
    expect(broken).toEqual([]);
  });

  it("has every picture that its pages show", () => {
    const shown = DOCS_PAGES.flatMap(({ file }) => inline(file)).filter(({ type }) => type === "image");
    const names = shown.map((token) => posix.basename(String(token.attrGet("src") ?? "")));
    expect(names.filter((name) => !DOCS_PICTURES[name])).toEqual([]);
    expect(Object.keys(DOCS_PICTURES).filter((name) => !names.includes(name))).toEqual([]);
  });

  it("has every section that the console links to", () => {
    const files = listProjectFiles().filter((file) => /^(app|components)\/.*\.tsx$/.test(file));
    const links = files.flatMap((file) => {
      const text = readFileSync(join(projectDir, file), "utf8");
      return [...text.matchAll(/\$\{PAGES\.docs\}(\/[\w/#-]+)/g)].map(([, path]) => `/docs${path}`);
    });
    expect(links).not.toEqual([]);
    expect(links.filter((link) => !isSection(link))).toEqual([]);
  });

  it("gives headings the fragments of GitHub, with a number if one is repeated", () => {
    const { sections } = parsePage("x.md", "# A page\n\n## `.env`: what it does\n\n## `.env`: what it does\n");
    expect(sections.map(({ anchor }) => anchor)).toEqual(["a-page", "env-what-it-does", "env-what-it-does-1"]);
  });

  it("finds sections that contain all words, those with the words in the title first", () => {
    const page = parsePage("x.md", "# A\n\nEnd a token early\n\n## Tokens end\n\nBy a date\n\n## Other\n\nA token\n");
    const found = searchDocs("END token", [page]).map(({ section }) => section.title);
    expect(found).toEqual(["Tokens end", "A"]);
    expect(searchDocs("absent", [page])).toEqual([]);
    const other = parsePage("y.md", "# Tokens that end\n\nBy a date\n");
    expect(searchDocs("END token", [page, other])[0]?.page).toBe(other);
  });

  it("quotes whole words around what was found, and marks where the text goes on", () => {
    const sentence = "Receivers accept a message within ten seconds. ";
    const page = parsePage("x.md", `# A\n\n${sentence.repeat(5)}Redirects are refused. ${sentence.repeat(5)}\n`);
    const [excerpt = "", short] = ["redirects", "receivers"].map((query) => searchDocs(query, [page])[0]?.excerpt);
    expect(excerpt).toMatch(/^…\w.+ Redirects are refused\. .+…$/);
    const text = ` ${page.sections[0]?.text} `;
    expect(text).toContain(` ${excerpt.slice(1, -1)} `);
    expect(short).toMatch(/^Receivers .+…$/);
    expect(searchDocs("one", [parsePage("x.md", "# A\n\nOne word\n")])[0]?.excerpt).toBe("One word");
  });
});
