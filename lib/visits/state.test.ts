import { describe, expect, it } from "vitest";
import { afterChange, countKeyOf, mergedChange, stepsUpTo, stopOf, type VisitChange } from "./state";

const at = (minute: number) => new Date(Date.UTC(2026, 10, 26, 23, minute));
const FILE = { fileId: "file", size: 100 };
const IPHONE = { os: "ios", osVersion: "17.5", model: null } as const;

function change(more: Partial<VisitChange>): VisitChange {
  return { releaseId: "release", visitor: { kind: "user", id: "user" }, at: at(0), steps: [], ...more };
}

describe("the steps of a visit", () => {
  it("have the steps before them, with a manifest on the way of iOS only; icons are beside the package", () => {
    expect(stepsUpTo("begun", true)).toEqual(["opened", "tapped", "manifest", "begun"]);
    expect(stepsUpTo("begun", false)).toEqual(["opened", "tapped", "begun"]);
    expect(stepsUpTo("icons", true)).toEqual(["opened", "tapped", "manifest", "icons"]);
  });

  it("are reached once, at their first time, whatever the order in which they are written", () => {
    const first = afterChange(null, change({ steps: ["opened"], at: at(5), device: IPHONE }));
    const again = afterChange(first, change({ steps: ["opened", "tapped"], at: at(1) }));
    expect(again.reached).toEqual({ opened: at(1), tapped: at(1) });
    expect(again.day).toBe("2026-11-26");
  });

  it("are complete with the last byte, whatever was sent twice or ended early", () => {
    const half = afterChange(null, change({ steps: ["begun"], package: FILE, ranges: [[0, 50]] }));
    const overlap = afterChange(half, change({ package: FILE, ranges: [[40, 99]], at: at(2) }));
    expect([overlap.reached.complete, overlap.ranges]).toEqual([undefined, [[0, 99]]]);
    const whole = afterChange(overlap, change({ package: FILE, ranges: [[90, 100]], at: at(3) }));
    expect([whole.reached.complete, whole.ranges]).toEqual([at(3), []]);
    const repeated = afterChange(whole, change({ package: FILE, ranges: [[0, 100]], at: at(9) }));
    expect(repeated.reached.complete).toEqual(at(3));
  });

  it("of two files do not add up to one", () => {
    const half = afterChange(null, change({ steps: ["begun"], package: FILE, ranges: [[0, 50]] }));
    const other = afterChange(half, change({ package: { fileId: "other", size: 100 }, ranges: [[50, 100]] }));
    expect([other.reached.complete, other.ranges]).toEqual([undefined, [[50, 100]]]);
    const merged = mergedChange(
      change({ package: FILE, ranges: [[0, 50]] }),
      change({ package: { fileId: "other", size: 100 }, ranges: [[50, 100]] }),
    );
    expect(merged.ranges).toEqual([[50, 100]]);
  });

  it("are the same whether changes are written one by one or merged", () => {
    const changes = [
      change({ steps: ["opened"], device: { os: "desktop", osVersion: null, model: null }, codes: ["wrong_system"] }),
      change({
        steps: ["opened", "tapped", "manifest"],
        at: at(1),
        device: { ...IPHONE, model: "iPhone15,2", isExact: true },
      }),
      change({ steps: ["begun"], at: at(2), package: FILE, ranges: [[0, 60]], fromStore: false }),
      change({ at: at(3), package: FILE, ranges: [[60, 100]] }),
    ];
    const single = changes.reduce<ReturnType<typeof afterChange> | null>(afterChange, null);
    const merged = changes.reduce(mergedChange);
    const atOnce = afterChange(null, merged);
    expect(Object.keys(atOnce.reached)).toEqual(Object.keys(single?.reached ?? {}));
    expect(countKeyOf(atOnce)).toEqual(countKeyOf(single as NonNullable<typeof single>));
  });

  it("count for the phone of a visit that began on a computer, and for what the system told", () => {
    const desktop = { os: "desktop", osVersion: null, model: null } as const;
    const began = afterChange(null, change({ steps: ["opened"], device: desktop }));
    const phone = afterChange(began, change({ steps: ["tapped"], device: IPHONE }));
    const exact = { os: "ios", osVersion: "26.1", model: "iPhone15,2", isExact: true } as const;
    const told = afterChange(phone, change({ steps: ["manifest"], device: exact }));
    const back = afterChange(told, change({ device: desktop }));
    expect(countKeyOf(phone)).toMatchObject({ os: "ios", system: "17", device: "" });
    expect(countKeyOf(back)).toMatchObject({ os: "ios", system: "26", device: "iPhone15,2" });
  });
});

describe("where a visit stopped", () => {
  it("is its last step with the reasons, until the package was sent", () => {
    const opened = afterChange(null, change({ steps: ["opened"], codes: ["wrong_system"] }));
    expect(stopOf(opened)).toEqual({ step: "opened", codes: ["wrong_system"] });
    const begun = afterChange(opened, change({ steps: ["tapped", "begun"] }));
    expect(stopOf(begun)?.step).toBe("begun");
    expect(stopOf(afterChange(begun, change({ steps: ["complete"] })))).toBeNull();
  });

  it("is not known where the store sends the package", () => {
    const begun = afterChange(null, change({ steps: ["opened", "tapped", "begun"], fromStore: true }));
    expect(stopOf(begun)).toBeNull();
  });
});
