import { describe, expect, it } from "vitest";
import { lockNameOf, whileUploading } from "./upload-locks";

const upload = { fingerprint: "0".repeat(64), place: "environment" };
const isHeld = async () => {
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name }) => name === lockNameOf(upload));
};

describe("an upload", () => {
  it("is announced to other tabs until its work ends, also if it fails", async () => {
    const work = Promise.withResolvers<string>();
    const done = whileUploading(upload, () => work.promise);
    await expect.poll(isHeld).toBe(true);
    // A second tab that uploads the same file does not wait.
    expect(await whileUploading(upload, async () => "at once")).toBe("at once");
    expect(await isHeld()).toBe(true);
    work.reject(new Error("lost"));
    await expect(done).rejects.toThrow("lost");
    expect(await isHeld()).toBe(false);
  });
});
