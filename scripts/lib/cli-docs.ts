import type { RouteMap } from "@stricli/core";
import { root } from "@/cli/src/application";
import { isRouteMap, optionTerm, type Page, pageOf } from "@/cli/src/lib/command-page";
import type { Context } from "@/cli/src/lib/context";

function pagesOf(map: RouteMap<Context>, prefix: string): Page[] {
  return map
    .getAllEntries()
    .filter(({ hidden }) => !hidden)
    .flatMap(({ name, target }) => {
      const path = `${prefix}${name["convert-camel-to-kebab"]}`;
      return isRouteMap(target) ? pagesOf(target, `${path} `) : [pageOf(path, target)];
    });
}

/** The commands of the tool as it declares them. */
export function commandPages(): Page[] {
  return pagesOf(root as RouteMap<Context>, "");
}

const cell = (text: string) => text.replaceAll("|", "\\|");

/** An option that this many commands have in the same words is explained once. */
const COMMON_FROM = 5;

const rowOf = (option: Page["options"][number]) =>
  `| \`${cell(optionTerm(option))}\` | ${cell(option.brief)}${option.initial ? `; by default ${option.initial}` : ""} |`;

const tableOf = (rows: readonly string[]) => (rows.length > 0 ? `\n| | |\n| --- | --- |\n${rows.join("\n")}\n` : "");

/** The reference of all commands in Markdown: the options that many have, and each command with its own. */
export function commandsInMarkdown(): string {
  const pages = commandPages();
  const uses = Map.groupBy(
    pages.flatMap(({ options }) => options.map(rowOf)),
    (row) => row,
  );
  const common = [...uses].flatMap(([row, all]) => (all.length >= COMMON_FROM ? [row] : []));
  const commands = pages.map((page) => {
    const rows = [
      ...page.arguments.map(({ placeholder, brief }) => `| \`<${placeholder}>\` | ${cell(brief)} |`),
      ...page.options.map(rowOf).filter((row) => !common.includes(row)),
    ];
    const shared = page.options.filter((option) => common.includes(rowOf(option)));
    const names = shared.map(({ name }) => `\`${name}\``).join(", ");
    const description = `${page.description.split("\n").join("\n\n")}\n`;
    const also = names && `\n${rows.length > 0 ? "Also" : "Options"}: ${names} ([common options](#common-options)).\n`;
    return `### ${page.name}\n\n\`\`\`sh\n${page.usage}\n\`\`\`\n\n${description}${tableOf(rows)}${also}`;
  });
  return [`### Common options\n${tableOf(common)}`, ...commands].join("\n");
}

const roff = (text: string) =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^([.'])/gm, "\\&$1");

/** The manual page, section 1, in the macros of man(7). */
export function manualPage(
  environment: readonly (readonly [string, string])[],
  exitCodes: readonly (readonly [string, string])[],
): string {
  const terms = (rows: readonly (readonly [string, string])[]) =>
    rows.map(([term, text]) => `.TP\n.B ${roff(term)}\n${roff(text)}`).join("\n");
  const commands = commandPages().map((page) => {
    const options = page.options.map((option): [string, string] => [
      optionTerm(option),
      `${option.brief}${option.initial ? ` (default: ${option.initial})` : ""}.`,
    ]);
    const parameters = page.arguments.map(({ placeholder, brief }): [string, string] => [
      `<${placeholder}>`,
      `${brief}.`,
    ]);
    return [`.SS ${roff(page.usage)}`, roff(page.description), terms([...parameters, ...options])]
      .filter(Boolean)
      .join("\n");
  });
  return `${[
    '.TH SLIPWAY 1 "" "slipway" "User Commands"',
    ".SH NAME",
    `slipway \\- ${roff(root.brief.charAt(0).toLowerCase() + root.brief.slice(1))}`,
    ".SH SYNOPSIS",
    ".B slipway",
    "<command> [options]",
    ".SH COMMANDS",
    ...commands,
    ".SH ENVIRONMENT",
    terms(environment),
    ".SH EXIT STATUS",
    terms(exitCodes),
  ].join("\n")}\n`;
}

/** The rows of the table below a heading of a Markdown text, without the code marks. */
export function tableBelow(markdown: string, heading: string): [string, string][] {
  const [, section = ""] = markdown.split(`## ${heading}\n`);
  const table = section.split("\n## ")[0] ?? "";
  return [...table.matchAll(/^\| `?([^|`]+)`? \| (.+) \|$/gm)]
    .map(([, term = "", text = ""]): [string, string] => [term.trim(), text.replaceAll("`", "")])
    .filter(([term]) => !term.startsWith("---"));
}

export const REFERENCE_HEADING = "## Commands\n";

/** The guide with the reference of the commands at its end, and the manual page. */
export function withReference(guide: string): { markdown: string; manual: string } {
  const [head = ""] = guide.split(REFERENCE_HEADING);
  return {
    markdown: `${head}${REFERENCE_HEADING}\n${commandsInMarkdown()}`,
    manual: manualPage(tableBelow(head, "Environment variables"), tableBelow(head, "Exit codes")),
  };
}
