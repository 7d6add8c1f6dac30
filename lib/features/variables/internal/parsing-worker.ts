import { parentPort, workerData } from "node:worker_threads";
import { MAX_IMPORT_ISSUES, type VariableFormat } from "@/lib/features/variables/schema";
import { CostlyTextError, type ParsedFile, parseVariables } from "./variable-files";

/** The `workerData` of the thread. */
export interface ParsingOrder {
  format: VariableFormat;
  text: string;
}

/** Sent by the thread: what can be imported, or the first issues of the file; null where it costs too much. */
export type ParsingMessage = ParsedFile | null;

const { format, text } = workerData as ParsingOrder;

function parse(): ParsingMessage {
  try {
    const { entries, issues } = parseVariables(format, text);
    return issues.length > 0 ? { entries: [], issues: issues.slice(0, MAX_IMPORT_ISSUES) } : { entries, issues };
  } catch (error) {
    // The reader of YAML calls itself for each level.
    if (error instanceof CostlyTextError || error instanceof RangeError) return null;
    throw error;
  }
}

parentPort?.postMessage(parse());
