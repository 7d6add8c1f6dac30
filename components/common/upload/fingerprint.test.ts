import { describe, expect, it } from "vitest";
import { fileFingerprint } from "./fingerprint";

const MIB = 1024 * 1024;

function file(change: { name?: string; lastModified?: number; at?: number; size?: number } = {}): File {
  const bytes = new Uint8Array(change.size ?? 5 * MIB);
  if (change.at !== undefined) bytes[change.at] = 1;
  return new File([bytes], change.name ?? "app.ipa", { lastModified: change.lastModified ?? 1_700_000_000_000 });
}

describe("fileFingerprint", () => {
  it("is the same for a file that is chosen again", async () => {
    expect(await fileFingerprint(file())).toBe(await fileFingerprint(file()));
    expect(await fileFingerprint(file())).toMatch(/^[0-9a-f]{64}$/);
  });

  it("differs for another name, date, size, start or end", async () => {
    const others = [
      file({ name: "app2.ipa" }),
      file({ lastModified: 1_700_000_000_001 }),
      file({ size: 5 * MIB + 1 }),
      file({ at: 0 }),
      file({ at: 5 * MIB - 1 }),
    ];
    const fingerprints = await Promise.all([file(), ...others].map(fileFingerprint));
    expect(new Set(fingerprints).size).toBe(fingerprints.length);
  });

  it("supports files smaller than a sample", async () => {
    expect(await fileFingerprint(file({ size: 1 }))).not.toBe(await fileFingerprint(file({ size: 1, at: 0 })));
    expect(await fileFingerprint(file({ size: 0 }))).toMatch(/^[0-9a-f]{64}$/);
  });
});
