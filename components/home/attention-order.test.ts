import { describe, expect, it } from "vitest";
import type { Attention } from "@/lib/features/dashboard/schema";
import { DAY_MS } from "@/lib/kernel/time";
import { arrangeAttention, type LicenseEnd } from "./attention-order";

const now = new Date("2026-01-01T12:00:00.000Z");
const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS).toISOString();
const place = { app: { id: "a", name: "A" }, environment: { id: "e", name: "E" }, name: "n" };
const certificate = (days: number): Attention => ({ kind: "certificate", ...place, expiresAt: inDays(days) });
const license = (days: number): LicenseEnd => ({ kind: "license", name: "L", expiresAt: inDays(days) });
const arrange = (items: Attention[], end: LicenseEnd | null = null, all = false) =>
  arrangeAttention(items, end, { now, all });

describe("what needs attention on the dashboard", () => {
  const past = [certificate(-40), certificate(-4000)];
  const current: Attention[] = [{ kind: "mail" }, certificate(2), certificate(9), certificate(12), certificate(20)];

  it("is shown up to four items, without what is past", () => {
    expect(arrange([...current, ...past])).toEqual({ shown: current.slice(0, 4), past: 2, total: 7, isLong: true });
    expect(arrange([certificate(2), ...past])).toEqual({ shown: [certificate(2)], past: 2, total: 3, isLong: true });
    expect(arrange(past)).toEqual({ shown: [], past: 2, total: 2, isLong: true });
    expect(arrange([certificate(2)])).toMatchObject({ past: 0, isLong: false });
    expect(arrange([])).toEqual({ shown: [], past: 0, total: 0, isLong: false });
  });

  it("is shown whole on request", () => {
    expect(arrange([...current, ...past], null, true)).toEqual({
      shown: [...current, ...past],
      past: 0,
      total: 7,
      isLong: true,
    });
  });

  it("begins with a license that has expired, also if that was long ago", () => {
    expect(arrange([{ kind: "store" }, ...past], license(-400))).toEqual({
      shown: [license(-400), { kind: "store" }],
      past: 2,
      total: 4,
      isLong: true,
    });
  });

  it("has a license that expires among what expires", () => {
    const invitations: Attention = { kind: "invitations", count: 1 };
    expect(arrange([{ kind: "mail" }, certificate(2), certificate(9)], license(5)).shown).toEqual([
      { kind: "mail" },
      certificate(2),
      license(5),
      certificate(9),
    ]);
    expect(arrange([certificate(2), invitations, ...past], license(5)).shown).toEqual([
      certificate(2),
      license(5),
      invitations,
    ]);
  });
});
