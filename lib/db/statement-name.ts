/** Longer beginnings of a statement are not looked at. */
const SEARCHED_CHARACTERS = 4_000;

/** What a statement does, without its values. */
interface StatementName {
  /** `SELECT`, `INSERT`, `BEGIN`, … */
  operation: string;
  /** The first table that it names; undefined without one. */
  table: string | undefined;
}

/** Names a statement by its first word and its first table. Its values and texts are never part of the name. */
export function statementName(text: string): StatementName {
  const beginning = text.slice(0, SEARCHED_CHARACTERS).replace(/--[^\n]*|'(?:[^']|'')*'/g, " ");
  const operation = /^\s*([A-Za-z]+)/.exec(beginning)?.[1]?.toUpperCase() ?? "STATEMENT";
  const table = /\b(?:FROM|INTO|UPDATE|JOIN)\s+(?:ONLY\s+)?(?:"?[a-z_]+"?\.)?"?([A-Za-z_]\w*)"?/.exec(beginning)?.[1];
  return { operation, table };
}

/** The text of a statement as pg takes it: a text, or an object with one. */
export function statementText(statement: unknown): string {
  if (typeof statement === "string") return statement;
  const { text } = (statement ?? {}) as { text?: unknown };
  return typeof text === "string" ? text : "";
}
