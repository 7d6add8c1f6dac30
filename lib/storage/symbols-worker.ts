import { workerData } from "node:worker_threads";
import { readDsyms, readMapping, SymbolsError, type SymbolsErrorReason } from "@slipway/installers";
import { type RangeOrder, sendToParent, sourcesOfThread } from "./thread-ranges";

/** `dsym` reads the UUIDs of dSYM bundles, `mapping` the header of a mapping file. */
export type SymbolsTask = "dsym" | "mapping";

/** The `workerData` of the thread. */
export interface SymbolsOrder {
  task: SymbolsTask;
  /** Bytes of the file. */
  size: number;
}

/** Sent by the thread: a range that it needs, or the result. */
export type SymbolsMessage =
  | RangeOrder
  | { kind: "read-symbols"; result: unknown }
  | { kind: "refused"; reason: SymbolsErrorReason; params: Readonly<Record<string, string | number>> };

const { task, size } = workerData as SymbolsOrder;
const [source] = sourcesOfThread([size]);
const send = sendToParent<SymbolsMessage>;

try {
  const result = task === "dsym" ? await readDsyms(source) : await readMapping(source);
  send({ kind: "read-symbols", result });
} catch (error) {
  if (!(error instanceof SymbolsError)) throw error;
  send({ kind: "refused", reason: error.reason, params: error.params });
}
