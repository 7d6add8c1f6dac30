import { createHash, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { hashBlob } from "./hash-blob";

describe("hashBlob", () => {
  it.each([0, 1, 4 * 1024 * 1024, 4 * 1024 * 1024 + 1, 9_000_000])("hashes a file of %i bytes", async (size) => {
    const bytes = randomBytes(size);
    expect(await hashBlob(new Blob([bytes]))).toBe(createHash("sha256").update(bytes).digest("hex"));
  });
});
