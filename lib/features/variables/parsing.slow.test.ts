import { describe, expect, it } from "vitest";
import { HOSTILE_IMPORTS } from "@/lib/testing/hostile-texts";
import { parseInThread } from "./internal/parsing";
import { MAX_IMPORT } from "./schema";

describe.each(Object.entries(HOSTILE_IMPORTS))("the parsing of 1 MB of %s", (format, texts) => {
  it.each(Object.entries(texts))("takes or refuses %s within its own limits", async (_, make) => {
    const order = { format: format as keyof typeof HOSTILE_IMPORTS, text: make(MAX_IMPORT) };
    const outcome = await parseInThread(order).then(
      ({ entries, issues }) => ({ code: "parsed", size: entries.length + issues.length }),
      (error) => ({ code: error.issues?.[0]?.message ?? String(error), size: 0 }),
    );
    expect(["parsed", "importTooCostly"]).toContain(outcome.code);
    expect(outcome.size).toBeLessThanOrEqual(100);
  });
});
