import fc from "fast-check";
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
    ["a number for the path that refreshes it", header(["", {}, 1])],
    ["three texts for the path that refreshes it", header(["", {}, ["/a", "?b", "c"]])],
    ["an unknown word for what is loaded", header(["", {}, null, "everything"])],
    ["a text for its hints", header(["", {}, null, null, "4"])],
    ["null for its last entry", header(["", {}, null, null, 4, null])],
    ["an unknown interception", header([["path", "a", "oci(.)", null], {}])],
    ["40,001 characters", header(["a".repeat(40_001 - header(["", {}]).length), {}])],
    ["too many entries", header(["", {}, null, null, 0, "", ""])],
  ])("is refused for %s, as Next fails on it", (_what, state) => {
    expect([isRouterState(state), canNextParse(state)]).toEqual([false, false]);
  });

  it("is passed on exactly where Next can parse it", () => {
    const word = fc.constantFrom("", "a", "c", "d", "oc", "di(.)", "ci(..)(..)", "oci(.)", "refetch", "metadata-only");
    const { state } = fc.letrec((tie) => {
      const odd = fc.oneof(
        word,
        fc.constantFrom(null, 0, 4, true, -0.5),
        fc.constant({}),
        fc.array(word, { maxLength: 4 }),
      );
      const usually = (one: fc.Arbitrary<unknown>) => fc.oneof({ weight: 12, arbitrary: one }, odd);
      const siblings = usually(fc.option(fc.array(word, { maxLength: 3 })));
      const segment = fc.oneof(word, fc.tuple(usually(word), usually(word), usually(word), siblings));
      const routes = fc.dictionary(word, tie("state"), { maxKeys: 2 });
      const optional = [
        fc.option(fc.tuple(word, word)),
        fc.constantFrom(null, "refetch", "inside-shared-layout", "metadata-only"),
        fc.option(fc.integer()),
        word,
        odd,
      ].map(usually);
      const rest = fc.nat({ max: 5 }).chain((count) => fc.tuple(...optional.slice(0, count)));
      const whole = fc
        .tuple(usually(segment), usually(routes), rest)
        .map(([first, second, others]) => [first, second, ...others]);
      return { state: fc.oneof({ maxDepth: 3 }, odd, { weight: 12, arbitrary: whole }) };
    });
    let passed = 0;
    fc.assert(
      fc.property(state, (one) => {
        const can = canNextParse(header(one));
        if (can) passed += 1;
        expect(isRouterState(header(one))).toBe(can);
      }),
      { numRuns: 5_000 },
    );
    expect(passed).toBeGreaterThan(500);
  });

  it("is at most 32 layouts deep", () => {
    expect([32, 33, 1_000].map((depth) => isRouterState(header(nested(depth))))).toEqual([true, false, false]);
  });
});
