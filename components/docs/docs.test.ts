import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { LOCALES, type Locale } from "@/lib/kernel/i18n/locales";
import { withPages } from "@/scripts/lib/docs-list";
import { listProjectFiles, projectDir } from "@/scripts/lib/files.mjs";
import { DOCS_GROUPS } from "./list";
import { type Documentation, documentationFor, findPage, languagesOf } from "./pages";
import { type DocsPage, linkTarget, parsePage, searchDocs } from "./parse";
import { DOCS_PICTURES } from "./pictures";
import { DOCS_TEXTS } from "./texts";

const read = (path: string) => readFileSync(join(projectDir, path), "utf8");
const [everybody, administrator] = [documentationFor("en", false), documentationFor("en", true)];
const served = ({ pages, unlisted }: Documentation): DocsPage[] => [...pages, ...unlisted];
const filesFor = (...readers: string[]) =>
  DOCS_GROUPS.filter((group) => readers.includes(group.readers)).flatMap(({ entries }) =>
    entries.map(({ file }) => file),
  );

/** Whether a path of the console, with its fragment, is a section of the documentation. */
function isSection(target: string, docs: Documentation): boolean {
  const [path = "", fragment] = target.split("#");
  const page = findPage(docs, path);
  return page !== null && (!fragment || page.sections.some(({ anchor }) => anchor === fragment));
}

const inline = (page: DocsPage) => page.tokens.flatMap(({ children }) => children ?? []);
const hrefsOf = (page: DocsPage) =>
  inline(page).flatMap(({ type, attrs }) =>
    type === "link_open" ? (attrs ?? []).flatMap(([name, value]) => (name === "href" ? [String(value)] : [])) : [],
  );

describe("the list of pages", () => {
  it("has each page of docs/ once, and the console has the text of each that it serves", () => {
    const files = filesFor("everybody", "administrators", "repository");
    expect(files.length).toBe(new Set(files).size);
    const inFolders = ["", "operations", "sso"].flatMap((folder) =>
      readdirSync(join(projectDir, "docs", folder))
        .filter((name) => name.endsWith(".md"))
        .map((name) => posix.join(folder, name)),
    );
    expect(inFolders.filter((file) => !files.includes(file))).toEqual([]);
    const languages = LOCALES.filter((locale) => locale !== "en").map((locale) => `testers/${locale}.md`);
    expect(Object.keys(DOCS_TEXTS).toSorted()).toEqual(
      [...filesFor("everybody", "administrators"), ...languages].toSorted(),
    );
  });

  it("says in a sentence what each page is for", () => {
    for (const { entries } of DOCS_GROUPS)
      for (const { file, summary } of entries) expect(summary, file).toMatch(/^\S.*\.$/);
  });

  it("is that of the README; `npm run docs:cli` writes it", () => {
    const readme = read("README.md");
    expect(readme).toBe(withPages(readme));
  });

  it("is in the image, with its texts", () => {
    const left = read(".dockerignore").split("\n");
    for (const file of Object.keys(DOCS_TEXTS))
      expect(left.filter((path) => path.startsWith("docs") && `docs/${file}`.startsWith(path))).toEqual([]);
  });

  it("has the pages about running the console for administrators alone", () => {
    expect(everybody.pages.map(({ file }) => file)).toEqual(filesFor("everybody"));
    expect(administrator.pages.map(({ file }) => file)).toEqual(filesFor("everybody", "administrators"));
    expect(findPage(administrator, "/docs/operations/backup")).not.toBeNull();
    expect(findPage(everybody, "/docs/operations/backup")).toBeNull();
    expect(findPage(administrator, "/docs/security")).toBeNull();
    expect(searchDocs("BACKUP_SCHEDULE", administrator.pages)).not.toEqual([]);
    expect(searchDocs("BACKUP_SCHEDULE", everybody.pages)).toEqual([]);
    expect(linkTarget("operations/settings.md#limits", "webhooks.md", everybody.pages)).toBeNull();
  });
});

describe("the page for testers", () => {
  const testers = (locale: Locale) => findPage(documentationFor(locale, false), "/docs/testers");
  const outline = (page: DocsPage | null) => page?.tokens.map(({ type, tag }) => `${type} ${tag}`);

  it.each(LOCALES)(
    "is in the reader's language, %s, with the same parts, and the other languages beside it",
    (locale) => {
      const page = testers(locale);
      expect(page?.language).toBe(locale);
      expect(outline(page)).toEqual(outline(testers("en")));
      const languages = languagesOf(page as DocsPage);
      expect(languages.map(({ path }) => path)).toEqual(LOCALES.map((language) => `/docs/testers/${language}`));
      for (const { path } of languages) expect(findPage(everybody, path)?.path).toBe(path);
    },
  );

  it.each(LOCALES)("names what the console shows in %s by its words", async (locale) => {
    const { default: messages } = (await import(`@/messages/${locale}.json`)) as {
      default: typeof import("@/messages/en.json");
    };
    const { action, reasons } = messages.install;
    const text = DOCS_TEXTS[locale === "en" ? "testers.md" : `testers/${locale}.md`]?.replace(/\s+/g, " ");
    for (const label of [
      action,
      messages.devices.mine,
      messages.devices.register,
      messages.feed.button,
      messages.feedback.give,
      messages.testerPage.confirm.button,
    ])
      expect(text).toContain(`**${label}**`);
    for (const browser of ["Safari", "Chrome"])
      expect(text).toContain(messages.install.inApp.title.replace("{browser}", browser));
    for (const { title } of [
      reasons.wrong_system_android,
      reasons.wrong_system_ios,
      reasons.device_family_ipad,
      reasons.profile_expired,
      reasons.device_not_registered,
      reasons.app_store_build,
      reasons.no_profile,
      reasons.unsigned,
      reasons.ios_disabled,
      reasons.manifest_not_https,
      reasons.bundle_without_apk,
      reasons.system_too_old,
      reasons.not_allowed,
    ])
      expect(text).toContain(title);
  });
});

describe("the documentation that the console serves", () => {
  it.each(served(administrator).map((page) => [page.path, page] as const))(
    "has no link in %s that leads nowhere",
    (_, page) => {
      const broken = hrefsOf(page).filter((href) => {
        const target = linkTarget(href, page.file, served(administrator));
        if (target === null) return true;
        return /^https?:/.test(target)
          ? false
          : !isSection(target.startsWith("#") ? `${page.path}${target}` : target, administrator);
      });
      expect(broken).toEqual([]);
    },
  );

  it("has no link that its syntax hides", () => {
    const texts = Object.entries(DOCS_TEXTS).map(([file, text]) => [file, text.match(/\]\([^)\s]*\)#/g)]);
    expect(texts.filter(([, found]) => found)).toEqual([]);
  });

  it("has every picture that its pages show", () => {
    const shown = served(administrator)
      .flatMap(inline)
      .filter(({ type }) => type === "image");
    const names = shown.map((token) => posix.basename(String(token.attrGet("src") ?? "")));
    expect(names.filter((name) => !DOCS_PICTURES[name])).toEqual([]);
    expect(Object.keys(DOCS_PICTURES).filter((name) => !names.includes(name))).toEqual([]);
  });

  it("has every section that the console links to", () => {
    const files = listProjectFiles().filter((file) => /^(app|components)\/.*\.tsx$/.test(file));
    const links = files.flatMap((file) =>
      [...read(file).matchAll(/\$\{PAGES\.docs\}(\/[\w/#-]+)/g)].map(([, path]) => `/docs${path}`),
    );
    expect(links).not.toEqual([]);
    expect(links.filter((link) => !isSection(link, everybody))).toEqual([]);
  });

  it("is linked from the README and the pages of the repository by files and sections that are there", () => {
    const files = listProjectFiles().filter((file) => file.endsWith(".md") && file !== "CHANGELOG.md");
    const broken = files.flatMap((file) =>
      hrefsOf(parsePage(file, read(file)))
        .filter((href) => {
          if (/^[a-z]+:/.test(href)) return false;
          const [path = "", fragment] = href.split("#");
          const target = path === "" ? file : posix.join(posix.dirname(file), path);
          if (!existsSync(join(projectDir, target))) return true;
          return Boolean(
            fragment &&
              target.endsWith(".md") &&
              !parsePage(target, read(target)).sections.some(({ anchor }) => anchor === fragment),
          );
        })
        .map((href) => `${file}: ${href}`),
    );
    expect(broken).toEqual([]);
  });
});

describe("the pages of the documentation", () => {
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
