import { workerData } from "node:worker_threads";
import {
  type ContentsDiff,
  diffContents,
  InstallerError,
  type InstallerErrorReason,
  readContents,
} from "@slipway/installers";
import { type RangeOrder, sendToParent, sourcesOfThread } from "./thread-ranges";

/** The `workerData` of the thread. */
export interface ComparisonOrder {
  /** Bytes of the two files. */
  sizes: readonly [from: number, to: number];
  timeoutMs: number;
}

/** Sent by the thread: a range that it needs, or the result. */
export type ComparisonMessage =
  | RangeOrder
  | { kind: "compared"; diff: ContentsDiff }
  | { kind: "refused"; reason: InstallerErrorReason; params: Readonly<Record<string, string | number>> };

const { sizes, timeoutMs } = workerData as ComparisonOrder;
const [from, to] = sourcesOfThread(sizes);
const send = sendToParent<ComparisonMessage>;

try {
  // One after the other, so that the directories of both are not parsed at the same time.
  const before = await readContents(from, { timeoutMs });
  const after = await readContents(to, { timeoutMs });
  send({ kind: "compared", diff: diffContents(before, after) });
} catch (error) {
  if (!(error instanceof InstallerError)) throw error;
  send({ kind: "refused", reason: error.reason, params: error.params });
}
