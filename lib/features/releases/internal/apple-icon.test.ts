import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { withRenderer } from "@/lib/testing/images";
import { appleIcon } from "./apple-icon";

const SILENT_PROGRAM = fileURLToPath(new URL("../../../storage/images/testing/scripted-process.mjs", import.meta.url));

it("an icon is not drawn for a caller who has gone, and the next caller's is", async () => {
  const gone = new AbortController();
  await withRenderer({ program: SILENT_PROGRAM, drawTimeoutMs: 600_000 }, async () => {
    const release = { id: "a release", iconKey: null };
    const icons = Promise.allSettled([1, 2, 3].map(() => appleIcon(release, 57, gone.signal)));
    gone.abort(new Error("gone"));
    for (const outcome of await icons) expect(outcome).toMatchObject({ reason: { message: "gone" } });
  });
  expect((await appleIcon({ id: "another", iconKey: null }, 57, new AbortController().signal)).length).toBeGreaterThan(
    0,
  );
});
