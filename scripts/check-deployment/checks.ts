import { setTimeout as delay } from "node:timers/promises";
import type { LoadResult } from "./load";

/** A result that is not the expected one. */
class Failure extends Error {}

export function expect(holds: boolean, what: string): void {
  if (!holds) throw new Failure(what);
}

/** What was checked so far. `detail` is what was measured, or what is wrong. */
export const results: { name: string; ok: boolean; detail: string }[] = [];

/** Runs a check and prints its result. A failed one does not stop the others. @param run returns what it measured */
export async function check(name: string, run: () => Promise<string | undefined> | Promise<void>): Promise<boolean> {
  let detail = "";
  let ok = true;
  const begin = performance.now();
  try {
    detail = (await run()) ?? "";
  } catch (error) {
    ok = false;
    detail = error instanceof Failure ? error.message : String((error as Error).stack);
  }
  results.push({ name, ok, detail });
  const seconds = Math.round((performance.now() - begin) / 1000);
  process.stdout.write(`${ok ? "ok   " : "FAIL "} ${name} (${seconds} s)${detail && `: ${detail}`}\n`);
  return ok;
}

export function describeLoad({ requests, failures, slowestMs }: LoadResult): string {
  const shown = failures.slice(0, 5).map((failure) => `\n        ${failure}`);
  return `${requests} requests, ${failures.length} failed, slowest ${(slowestMs / 1000).toFixed(1)} s${shown.join("")}`;
}

/** Waits until something holds. @throws Failure after the given time */
export async function poll(what: string, seconds: number, holds: () => Promise<boolean> | boolean): Promise<void> {
  for (const until = performance.now() + seconds * 1000; performance.now() < until; await delay(500)) {
    if (await Promise.resolve(holds()).catch(() => false)) return;
  }
  throw new Failure(`${what}: not within ${seconds} s`);
}
