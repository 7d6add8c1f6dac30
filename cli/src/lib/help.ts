import type { RouteMap } from "@stricli/core";
import { isRouteMap, optionTerm, pageOf, type Target } from "./command-page";
import type { Context } from "./context";
import { cellsOf, padTo, wrap } from "./text-width";

/** The space before a term, and between a term and its explanation. */
const GAP = "  ";
/** Explanations are on a line of their own where the terminal leaves them less. */
const MIN_EXPLANATION = 30;
/** Longer lines are hard to read. */
const MAX_COLUMNS = 100;

type Rows = readonly (readonly [term: string, explanation: string])[];

function section(title: string, rows: Rows, columns: number): string {
  if (rows.length === 0) return "";
  const width = Math.max(...rows.map(([term]) => cellsOf(term)));
  const indent = GAP.length + width + GAP.length;
  const isBelow = columns - indent < MIN_EXPLANATION;
  const lines = rows.map(([term, explanation]) =>
    isBelow
      ? `${GAP}${term}\n${wrap(`${GAP.repeat(3)}${explanation}`, columns)}`
      : wrap(`${GAP}${padTo(term, width)}${GAP}${explanation}`, columns, indent),
  );
  return `\n${title}:\n${lines.join("\n")}\n`;
}

/**
 * The help of the tool, of a group of commands or of one command.
 * @param name the words that lead to it, beginning with `slipway`
 * @param columns of the terminal
 */
export function helpText(target: Target, name: readonly string[], columns: number): string {
  const width = Math.min(columns, MAX_COLUMNS);
  const call = name.join(" ");
  const help: Rows = [["-h, --help", "Show this help"]];
  if (isRouteMap(target)) {
    const commands = (target as RouteMap<Context>)
      .getAllEntries()
      .filter(({ hidden }) => !hidden)
      .map((entry): [string, string] => [entry.name["convert-camel-to-kebab"], entry.target.brief]);
    const version: Rows = name.length === 1 ? [["-v, --version", "Show the version"]] : [];
    return [
      `${wrap(target.brief, width)}\n\n${wrap(`Usage: ${call} <command> [options]`, width)}\n`,
      section("Commands", commands, width),
      section("Options", [...help, ...version], width),
      wrap(`\n\`${call} <command> --help\` explains a command.\n`, width),
    ].join("");
  }
  const page = pageOf(name.slice(1).join(" "), target);
  const description = page.description.replaceAll("\n", "\n\n");
  const options = page.options.map((option): [string, string] => [
    optionTerm(option),
    option.initial === undefined ? option.brief : `${option.brief}; by default ${option.initial}`,
  ]);
  const parameters = page.arguments.map((one): [string, string] => [`<${one.placeholder}>`, one.brief]);
  return [
    `${wrap(description, width)}\n\n${wrap(`Usage: ${page.usage}`, width)}\n`,
    section("Arguments", parameters, width),
    section("Options", [...options, ...help], width),
  ].join("");
}
