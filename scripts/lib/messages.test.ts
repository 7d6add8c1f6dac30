import { describe, expect, it } from "vitest";
import { describeArguments, findMessageProblems, flatten } from "./messages.mjs";

describe("the placeholders of a text", () => {
  it("are listed with their kinds, also inside plurals and tags", () => {
    expect(describeArguments("Hola")).toBe("none");
    expect(describeArguments("{n, plural, one {<b>{name}</b>} other {# {name}}} {d, date, short}")).toBe(
      "b (tag), d (date), n (number), name (text)",
    );
  });

  it("are the same for a plural and a number", () => {
    expect(describeArguments("{n, plural, one {#} other {#}}")).toBe(describeArguments("{n, number}"));
  });

  it("cannot be read from a malformed text", () => {
    expect(() => describeArguments("{n, plural, one {#}")).toThrow(SyntaxError);
  });
});

describe("texts in several languages", () => {
  const es = { a: { title: "Hola {name}", count: "{n, plural, one {# día} other {# días}}" } };

  it("are listed by their full keys", () => {
    expect([...flatten(es).keys()]).toEqual(["a.title", "a.count"]);
  });

  it("agree when keys and placeholders are the same", () => {
    const de = { a: { count: "{n, number} Tage", title: "Hallo {name}" } };
    expect(findMessageProblems({ es, de }, "es")).toEqual([]);
  });

  it.each([
    [{ a: { title: "Hallo {name}" } }, "de a.count: missing"],
    [{ a: { ...es.a, more: "mehr" } }, "de a.more: not in es"],
    [{ a: { ...es.a, title: "Hallo {nombre}" } }, "de a.title: takes nombre (text), and es takes name (text)"],
    [{ a: { ...es.a, title: "Hallo" } }, "de a.title: takes none, and es takes name (text)"],
    [{ a: { ...es.a, title: "Hallo {name} " } }, "de a.title: begins or ends with a space"],
  ])("differ in %j", (de, problem) => {
    expect(findMessageProblems({ es, de }, "es")).toEqual([problem]);
  });

  it("must be well-formed and not empty", () => {
    expect(findMessageProblems({ es: { a: "", b: "{" } }, "es")).toEqual([
      "es a: empty",
      expect.stringMatching(/^es b: /),
    ]);
  });
});
