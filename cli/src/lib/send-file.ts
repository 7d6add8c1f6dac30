import type { UploadFile, UploadMemory, UploadTransport } from "@/lib/client/upload/uploader";
import { Uploader, type UploadOutcome } from "@/lib/client/upload/uploader";
import { type Console, networkFailure, proxyFailure } from "./console";
import type { Context } from "./context";
import { EXIT, Failure, interruptedFailure, refusedFailure, usageFailure } from "./failure";
import { Progress } from "./progress";
import { size } from "./terminal";
import { CONTINUE_HINT, type TimeLimit, timeLimitFailure } from "./time-limit";

/** The server flushes each part to disk before it answers, so that more parts use a fast network better. */
export const MAX_CONCURRENT_PARTS = 8;

interface SentFile<Part> {
  path: string;
  file: UploadFile<Part>;
  /** With which bytes that are stored already are not sent again; null if it is not computed. */
  sha256: Promise<string | null>;
  transport: UploadTransport<Part>;
  memory: UploadMemory;
  limit: TimeLimit;
  interrupted: AbortSignal;
}

/**
 * Sends a file in parts and shows the progress.
 * @returns its ID at the console
 * @throws Failure which says how to go on
 */
export async function sendFile<Part>(context: Context, console: Console, sent: SentFile<Part>): Promise<string> {
  const { path, limit, interrupted, ...upload } = sent;
  const uploader = new Uploader({
    ...upload,
    connection: { online: () => true, subscribe: () => () => undefined },
    clock: {
      now: () => performance.now(),
      after: (ms, run) => {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
    },
    random: Math.random,
    maxConcurrentParts: MAX_CONCURRENT_PARTS,
  });
  const progress = new Progress(context);
  const stop = () => uploader.leave();
  const ends = [interrupted, limit.signal];
  for (const end of ends) end.addEventListener("abort", stop);
  if (ends.some(({ aborted }) => aborted)) stop();
  let isContinued = false;
  const unsubscribe = uploader.subscribe(() => {
    const snapshot = uploader.snapshot();
    if (snapshot.resumedBytes > 0 && !isContinued) {
      isContinued = true;
      progress.say(`Continued an earlier upload: ${size(snapshot.resumedBytes)} had arrived.`);
    }
    progress.update(snapshot);
  });
  let outcome: UploadOutcome;
  try {
    outcome = await uploader.run();
  } finally {
    for (const end of ends) end.removeEventListener("abort", stop);
    unsubscribe();
    progress.end();
  }
  if (outcome.status === "done") {
    if (outcome.reused) context.err.say("The console has these bytes already; nothing was sent.");
    return outcome.fileId;
  }
  if (outcome.status === "cancelled") {
    if (interrupted.aborted) throw interruptedFailure(`Interrupted. ${CONTINUE_HINT}`);
    throw timeLimitFailure(limit);
  }
  if (outcome.problem === "file_unreadable") {
    throw usageFailure(`${path} was changed, moved or removed while it was sent.`);
  }
  if (outcome.problem.code === "network") throw networkFailure(console.url, undefined);
  if (outcome.problem.code === "proxy") throw proxyFailure(console.url, outcome.problem.status);
  if (outcome.problem.code === "checksum_mismatch") {
    throw new Failure(EXIT.refused, "The bytes that arrived are not those of the file.", {
      hints: ["The file was changed while it was sent, or the network damages data. Try again."],
      problem: outcome.problem,
    });
  }
  throw refusedFailure(console.url, outcome.problem, [CONTINUE_HINT]);
}
