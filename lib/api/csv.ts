import "server-only";
import { Readable } from "node:stream";
import type { Db } from "@/lib/db/client";
import { contentDisposition } from "@/lib/http/content-disposition";
import type { BinaryReply } from "@/lib/http/reply";
import type { RequestFacts } from "@/lib/http/request-facts";
import { currentTurn, type Turn } from "@/lib/kernel/turns";
import { MAX_LIMIT } from "./list";

/** Spreadsheets read a cell that starts with one of these characters as a formula. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** A text as spreadsheets show it: one that they would read as a formula gets a leading apostrophe. */
export function withoutFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** A value as a cell (RFC 4180), which no spreadsheet reads as a formula. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = Array.isArray(value) ? value.join(", ") : String(value);
  return `"${withoutFormula(text).replaceAll('"', '""')}"`;
}

function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvCell).join(",")}\r\n`;
}

/** Excel reads UTF-8 only if the file begins with this mark, and else the code page of the system. */
const BYTE_ORDER_MARK = Buffer.from("\uFEFF");

async function* marked(lines: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield BYTE_ORDER_MARK;
  yield* lines;
}

/** Reads each piece in the caller's turn: the call is over while its file is sent, and a caller may ask for many files. */
async function* inTurns(lines: AsyncIterable<Buffer>, turn: Turn | undefined): AsyncGenerator<Buffer> {
  const pieces = lines[Symbol.asyncIterator]();
  const next = () => pieces.next();
  try {
    for (;;) {
      const { done, value } = await (turn ? turn.continued(next) : next());
      if (done) return;
      yield value;
    }
  } finally {
    await pieces.return?.();
  }
}

/**
 * The answer with a CSV file, in UTF-8 with a byte order mark.
 * @param fileName without the date and the extension
 */
export function csvReply(
  fileName: string,
  { now }: Pick<RequestFacts, "now">,
  lines: AsyncIterable<Buffer>,
): BinaryReply {
  return {
    status: 200,
    headers: {
      "Content-Type": "text/csv; charset=utf-8; header=present",
      "Content-Disposition": contentDisposition(`${fileName}-${now.toISOString().slice(0, 10)}.csv`),
      "Cache-Control": "no-store",
    },
    body: Readable.from(marked(inTurns(lines, currentTurn())), { highWaterMark: 1 }),
  };
}

/** What a list's handler needs at least. */
interface ListContext {
  input: { format: "json" | "csv"; limit: number; cursor?: string };
  db: Db;
}

interface Page<Item> {
  items: readonly Item[];
  nextCursor: string | null;
}

async function* csvLines<Item>(
  columns: Readonly<Record<string, (item: Item) => unknown>>,
  list: (cursor: string | undefined) => Promise<Page<Item>>,
): AsyncGenerator<Buffer> {
  yield Buffer.from(`${Object.keys(columns).join(",")}\r\n`);
  for (let cursor: string | undefined; ; ) {
    const { items, nextCursor } = await list(cursor);
    const lines = items.map((item) => csvLine(Object.values(columns).map((read) => read(item))));
    if (lines.length > 0) yield Buffer.from(lines.join(""));
    if (nextCursor === null) return;
    cursor = nextCursor;
  }
}

/**
 * The CSV of a list for `asFile` (RFC 4180): all rows that match its filters, in its order, page by page, so that no more
 * than a page is in memory. The list's input has `...csvFormat`.
 * @param csv.fileName without the date and the extension
 * @param csv.columns the values of an item by the names in the header
 * @param csv.list the list's handler
 */
export function csvOf<Context extends ListContext, Item>(csv: {
  fileName: string;
  columns: Readonly<Record<string, (item: Item) => unknown>>;
  list: (context: Context) => Promise<Page<Item>>;
}) {
  return {
    contentTypes: ["text/csv"],
    reply(context: Context & { request: RequestFacts }): BinaryReply | null {
      const { input, request } = context;
      if (input.format !== "csv") return null;
      const list = (cursor: string | undefined) =>
        csv.list({ ...context, input: { ...input, limit: MAX_LIMIT, cursor } });
      return csvReply(csv.fileName, request, csvLines(csv.columns, list));
    },
  };
}
