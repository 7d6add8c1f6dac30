import { afterEach, describe, expect, it, vi } from "vitest";
import { THREAD_QUEUE_LIMITS } from "@/lib/kernel/thread-queue";
import { HOSTILE_IMPORTS } from "@/lib/testing/hostile-texts";
import { MAX_IMPORT, VARIABLE_FORMATS } from "../schema";
import { parseForImport, parseInThread } from "./parsing";
import { formatVariables, parseVariables } from "./variable-files";

vi.mock(import("./variable-files"), async (original) => {
  const files = await original();
  return { ...files, parseVariables: vi.fn(files.parseVariables) };
});
afterEach(() => vi.mocked(parseVariables).mockClear());

/** A fifth of what the console allows, so that a text that costs too much is refused sooner; `parsing.slow.test.ts` of the feature has all of it. */
const LITTLE_MS = 1_000;

/** Texts of which each is read in another way, or refused for another reason; `parsing.slow.test.ts` of the feature has all. */
const SAMPLE = {
  yaml: ["anchors of values", "opening brackets", "block scalars", "open quotes", "deeper lines", "equal keys"],
  dotenv: ["open quotes of three kinds", "spaces", "lines that cannot be read"],
  json: ["nested lists as a value", "escaped quotes", "members"],
} satisfies { [Format in keyof typeof HOSTILE_IMPORTS]: (keyof (typeof HOSTILE_IMPORTS)[Format])[] };

const order = { format: "dotenv", text: "A=1" } as const;
const hostile = Object.entries(HOSTILE_IMPORTS).flatMap(([format, texts]) =>
  Object.entries(texts)
    .map(([name, make]) => ({ format: format as keyof typeof HOSTILE_IMPORTS, name, make }))
    .filter(({ format, name }) => (SAMPLE[format] as string[]).includes(name)),
);

describe("the parsing of an import", () => {
  it("runs in a worker thread, with the same result as without one", async () => {
    const text = "A=1\nB='two\nlines'\n";
    const parsed = await parseInThread({ format: "dotenv", text });
    expect(parseVariables).not.toHaveBeenCalled();
    expect(parsed).toEqual(parseVariables("dotenv", text));
  });

  it.each(hostile)("takes or refuses 1 MB of $name as $format within its limits", async ({ format, make }) => {
    const text = make(MAX_IMPORT);
    expect(text.length).toBeGreaterThan(0.99 * MAX_IMPORT);
    const outcome = await parseInThread({ format, text }, { processorTimeMs: LITTLE_MS }).then(
      ({ entries, issues }) => ({ code: "parsed", size: entries.length + issues.length }),
      (error) => ({ code: error.issues?.[0]?.message ?? String(error), size: 0 }),
    );
    expect(["parsed", "importTooCostly"]).toContain(outcome.code);
    expect(outcome.size).toBeLessThanOrEqual(100);
  });

  it.each(VARIABLE_FORMATS)("takes the most variables that an import may have as %s, with comments", async (format) => {
    const values = Array.from({ length: 10_000 }, (_, index) => ({
      key: `KEY_${index}`,
      value: `value: ${index} #*&`,
    }));
    const comment = format === "json" ? "" : "# a comment\n\n";
    const parsed = await parseInThread({ format, text: comment + formatVariables(format, values, String) });
    expect(parsed.issues).toEqual([]);
    expect(parsed.entries.map(({ key, value }) => ({ key, value }))).toEqual(values);
  });

  it("refuses a text that has used its processor time", async () => {
    // Takes longer than the interval in which the processor time is read.
    const text = HOSTILE_IMPORTS.dotenv["lines without a value"](16 * MAX_IMPORT);
    await expect(parseInThread({ format: "dotenv", text }, { processorTimeMs: 0 })).rejects.toMatchObject({
      code: "validation_failed",
      issues: [{ path: ["text"], message: "importTooCostly" }],
    });
  });

  it("ends when the caller no longer waits", async () => {
    const reason = new Error("gone");
    const controller = new AbortController();
    const parsing = parseForImport(order, { id: "a", signal: controller.signal });
    controller.abort(reason);
    await expect(parsing).rejects.toBe(reason);
  });

  it("refuses a caller who sends more than the queue holds, while another is served", async () => {
    const { running, waitingPerCaller } = THREAD_QUEUE_LIMITS;
    const one = Array.from({ length: running + waitingPerCaller + 1 }, () => parseForImport(order, { id: "a" }));
    const settled = Promise.allSettled(one);
    const another = parseForImport(order, { id: "b" });
    const first = await Promise.any([another.then(() => "b"), (one[running + 1] as Promise<unknown>).then(() => "a")]);
    expect(first).toBe("b");
    const outcomes = await settled;
    expect(outcomes.filter(({ status }) => status === "rejected")).toMatchObject([
      { reason: { code: "unavailable", detailKey: "detailVariables", retryAfter: 5 } },
    ]);
  });
});
