import "server-only";
import { log } from "./log";
import { processSingleton } from "./process-singleton";

const running = processSingleton("work-after-answers", () => new Set<Promise<void>>());

/** Runs the work of a call that goes on after its answer. A failure is logged. */
export function runAfterwards(work: () => Promise<void>, requestId: string): void {
  const works = running.get();
  const done = work()
    .catch((error) => log.error({ err: error, requestId }, "work after an answer failed"))
    .finally(() => works.delete(done));
  works.add(done);
}

/** Waits until no work of an answered call goes on. */
export async function afterwardsDone(): Promise<void> {
  const works = running.get();
  while (works.size > 0) await Promise.all(works);
}
