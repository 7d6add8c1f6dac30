import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashRecoveryCode, newRecoveryCodes } from "./recovery-codes";

describe("recovery codes", () => {
  it("come ten at a time, each of 120 bits, in letters that are not taken for one another", () => {
    const codes = Array.from({ length: 20 }, newRecoveryCodes).flat();
    expect(codes).toHaveLength(200);
    expect(new Set(codes).size).toBe(200);
    // 24 letters of 5 bits.
    for (const code of codes)
      expect(code).toMatch(/^[0-9abcdefghjkmnpqrstvwxyz]{6}(-[0-9abcdefghjkmnpqrstvwxyz]{6}){3}$/);
  });

  it("use every letter equally often", () => {
    const counts = Map.groupBy(
      Array.from({ length: 200 }, newRecoveryCodes).flat().join("").replaceAll("-", ""),
      String,
    );
    expect(counts.size).toBe(32);
    // 48,000 letters: 1,500 of each, give or take six standard deviations.
    for (const [letter, seen] of counts) expect(Math.abs(seen.length - 1_500), letter).toBeLessThan(230);
  });

  it("are recognized in any case and grouping, and others are refused", () => {
    const [code = "", other = ""] = newRecoveryCodes();
    fc.assert(
      fc.property(fc.constantFrom("", " ", "-", " – "), fc.boolean(), (between, upper) => {
        const typed = ` ${code.replaceAll("-", between)} `;
        expect(hashRecoveryCode(upper ? typed.toUpperCase() : typed)).toEqual(hashRecoveryCode(code));
      }),
    );
    expect(hashRecoveryCode(code.replaceAll("0", "O").replaceAll("1", "l"))).toEqual(hashRecoveryCode(code));
    expect(hashRecoveryCode(other)).not.toEqual(hashRecoveryCode(code));
  });
});
