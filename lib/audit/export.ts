import "server-only";
import { type ChainRecord, FIRST_HASH } from "./chain";

/** The content type of an exported log: a JSON object per line. */
export const EXPORT_TYPE = "application/x-ndjson";

/**
 * The audit log as lines of JSON: `record` is the text that `hash` covers, a JSON array of the hash of the record before,
 * the ID and the other columns. It is verified without the database.
 */
export async function* exportLines(batches: AsyncIterable<readonly ChainRecord[]>): AsyncGenerator<Buffer> {
  for await (const batch of batches) {
    yield Buffer.from(batch.map(({ hash, content }) => `${JSON.stringify({ hash, record: content })}\n`).join(""));
  }
}

/** The record of a line; null if it contains none. */
function parseLine(line: string): ChainRecord | null {
  try {
    const { hash, record } = JSON.parse(line) as { hash: unknown; record: unknown };
    if (typeof hash !== "string" || typeof record !== "string") return null;
    const [previousHash, id] = JSON.parse(record) as unknown[];
    return { id: String(BigInt(id as number)), previousHash: String(previousHash), hash, content: record };
  } catch {
    return null;
  }
}

/** The records of an exported log. A line that contains none counts as the changed record of its place. */
export async function* readExport(lines: AsyncIterable<string>): AsyncGenerator<readonly ChainRecord[]> {
  let previous = { id: "0", hash: FIRST_HASH };
  for await (const line of lines) {
    if (line === "") continue;
    const inPlace = { id: String(BigInt(previous.id) + 1n), previousHash: previous.hash };
    const record = parseLine(line) ?? { ...inPlace, hash: "", content: line };
    previous = record;
    yield [record];
  }
}
