import { parseAndValidateFlightRouterState } from "next/dist/server/app-render/parse-and-validate-flight-router-state";
import { describe, expect, it } from "vitest";
import { isRouterState } from "./router-state";

const page = ["__PAGE__", {}, null, null, 0];
const header = (state: unknown) => encodeURIComponent(JSON.stringify(state));
const nested = (depth: number): unknown => (depth === 1 ? page : ["segment", { children: nested(depth - 1) }]);

function canNextParse(state: string): boolean {
  try {
    parseAndValidateFlightRouterState(state);
    return true;
  } catch {
    return false;
  }
}

describe("the state of Next's router", () => {
  it.each([
    ["a page", page],
    ["a page below layouts", ["", { children: ["(console)", { children: page, dialog: page }] }, null, "refetch", 4]],
    ["a page with a parameter", [["id", "a%2Fb", "d", null], { children: page }]],
    ["a page with siblings of its parameter", [["path", "a", "oc", ["new"]], {}, ["/a", "?b"], null]],
    ["an intercepted page", [["path", "a", "ci(..)(..)", null], {}]],
  ])("is passed on for %s, as Next parses it", (_what, state) => {
    expect([isRouterState(header(state)), canNextParse(header(state))]).toEqual([true, true]);
  });

  it.each([
    ["an opened list", "%5B".repeat(4000)],
    ["no JSON", "state"],
    ["an empty text", ""],
    ["bytes that cannot be decoded", "%zz"],
    ["two headers", `${header(page)}, ${header(page)}`],
    ["an object", header({})],
    ["a list without routes", header([""])],
    ["a parameter of another type", header([["id", "a", "x", null], {}])],
    ["a child that is no state", header(["", { children: "page" }])],
    ["too many entries", header(["", {}, null, null, 0, "", ""])],
  ])("is refused for %s, as Next fails on it", (_what, state) => {
    expect([isRouterState(state), canNextParse(state)]).toEqual([false, false]);
  });

  it("is at most 32 layouts deep", () => {
    expect([32, 33, 1_000].map((depth) => isRouterState(header(nested(depth))))).toEqual([true, false, false]);
  });
});
