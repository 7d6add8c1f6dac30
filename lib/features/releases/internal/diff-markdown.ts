import "server-only";
import { diffLists, hasNotableSizeChange, type InstallerKind, sdkChanges } from "@slipway/installers";
import { formatBytes } from "@/lib/kernel/format-bytes";
import { FORMAT_LOCALES, type Locale } from "@/lib/kernel/i18n/locales";
import { type AppTranslator, translatorFor } from "@/lib/kernel/i18n/translator";
import type { ReleaseDiff } from "../schema";

/** How many items of a list, and how many files, the text names. */
const LISTED_ITEMS = 20;

const SIGNS = { added: "➕", removed: "➖", changed: "✏️" } as const;

/** A text from an installer as a code span that it cannot leave (CommonMark 6.1). */
function code(text: string): string {
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const padding = longest > 0 ? " " : "";
  return `${fence}${padding}${text.replaceAll("\n", " ")}${padding}${fence}`;
}

/** The items of a list, and how many more there are. */
function listed(t: AppTranslator, lines: readonly string[], total = lines.length): string[] {
  const shown = lines.slice(0, LISTED_ITEMS).map((line) => `- ${line}`);
  return total > shown.length ? [...shown, `- ${t("releases.changes.more", { count: total - shown.length })}`] : shown;
}

/**
 * A difference as Markdown for a pull request (CommonMark, with tables of GitHub).
 * @param release the name and kind of the later release, and the language
 */
export function diffMarkdown(
  diff: ReleaseDiff,
  { name, kind, locale }: { name: string; kind: InstallerKind; locale: Locale },
): string {
  const t = translatorFor(locale);
  const bytes = (value: number) => formatBytes(value, FORMAT_LOCALES[locale], 1);
  const build = ({ version, buildNumber }: ReleaseDiff["to"]) => `${version} (${buildNumber})`;
  const none = t("releases.changes.none");
  const { size, files, manifest } = diff;
  const title = t("releases.changes.titleText", { name: `${name} ${build(diff.to)}`, previous: build(diff.from) });
  const values = { before: bytes(size.from), after: bytes(size.to) };
  const grew = hasNotableSizeChange(size) ? (size.to > size.from ? "larger" : "smaller") : "sameSize";
  const sections: string[][] = [
    [
      `- ${grew === "sameSize" ? t("releases.changes.sameSize", { size: bytes(size.to) }) : t(`releases.changes.${grew}`, values)}`,
      ...sdkChanges(diff, kind).map(
        ({ name: level, change, from, to }) =>
          `- ${t(`releases.changes.sdk.${level}`, { change, before: from ?? "", after: to ?? "" })}`,
      ),
      ...(diff.signing.changed ? [`- ${t("releases.changes.signing")}`] : []),
    ],
    ...diffLists(diff).map(({ group, items }) => [
      `#### ${t(`releases.changes.groups.${group}`)}`,
      "",
      ...listed(
        t,
        items.map(({ change, text }) => `${SIGNS[change]} ${code(text)}`),
      ),
    ]),
    [
      `#### ${t("releases.changes.groups.size")}`,
      "",
      `| ${t("releases.changes.kind")} | ${t("releases.changes.before")} | ${t("releases.changes.after")} |`,
      "| --- | ---: | ---: |",
      ...size.byKind.map(
        (sizes) => `| ${t(`releases.changes.kinds.${sizes.kind}`)} | ${bytes(sizes.from)} | ${bytes(sizes.to)} |`,
      ),
    ],
  ];
  if (files.items.length > 0) {
    const lines = files.items.map(({ path, change, from, to }) => {
      const sizes = [from, to].map((value) => (value === null ? "–" : bytes(value))).join(" → ");
      return `${SIGNS[change]} ${code(path)} ${sizes}`;
    });
    const total = files.added + files.removed + files.changed;
    const { added, removed, changed } = files;
    sections.push([
      `#### ${t("releases.changes.groups.files")}`,
      "",
      `${t("releases.changes.counts", { added, removed, changed })}`,
      "",
      ...listed(t, lines, total),
    ]);
  }
  if (manifest.length > 0) {
    const lines = manifest.map(
      ({ path, from, to }) => `${code(path)}: ${from === null ? none : code(from)} → ${to === null ? none : code(to)}`,
    );
    sections.push([`#### ${t("releases.changes.groups.manifest")}`, "", ...listed(t, lines)]);
  }
  const escaped = title.replaceAll(/[\\`*_{}[\]<>#|!~&]/g, "\\$&");
  return `${[[`### ${escaped}`], ...sections].map((lines) => lines.join("\n")).join("\n\n")}\n`;
}
