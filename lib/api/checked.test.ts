import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { checkOutput, checkPart, outputJson } from "./checked";

const checks = vi.fn(() => true);
const item = z.object({ id: z.string().refine(checks), inner: z.object({ names: z.array(z.string()) }) });
const list = z.object({ items: z.array(item), total: z.number(), note: z.string().optional() });
const input = (id: string) => ({ id, inner: { names: ["a"] } });

describe("a part of outputs", () => {
  it("is checked when it is made", () => {
    expect(() => checkPart(item, { ...input("a"), inner: {} } as never)).toThrow(z.ZodError);
    const { part, json } = checkPart(item, { ...input("a"), secret: 1 } as never);
    expect(part).toEqual(input("a"));
    expect(json).toBe(JSON.stringify(part));
  });

  it("cannot be changed", () => {
    const { part } = checkPart(item, input("a"));
    expect(() => Object.assign(part, { id: "b" })).toThrow(TypeError);
    expect(() => part.inner.names.push("b")).toThrow(TypeError);
  });
});

describe("the output of an operation", () => {
  it("is checked without its lists of parts that the same schema has checked", () => {
    const items = ["a", "b"].map((id) => checkPart(item, input(id)).part);
    checks.mockClear();
    const output = checkOutput(list, { items, total: 2, secret: 1 });
    expect(checks).not.toHaveBeenCalled();
    expect(output).toEqual({ items, total: 2 });
    expect(() => checkOutput(list, { items, total: "2" })).toThrow(z.ZodError);
  });

  it.each([
    ["one item is no part", list, () => [checkPart(item, input("a")).part, { ...input("b"), secret: 1 }]],
    ["another schema has checked the parts", list, () => [checkPart(item.extend({}), input("a")).part]],
    [
      "the list has rules of its own",
      z.object({ items: z.array(item).min(1), total: z.number() }),
      () => [checkPart(item, input("a")).part],
    ],
    [
      "the object has rules of its own",
      list.refine(({ items }) => items.length > 0),
      () => [checkPart(item, input("a")).part],
    ],
  ] as const)("is checked with its list where %s", (_case, schema, items) => {
    const made = items();
    checks.mockClear();
    const output = checkOutput(schema, { items: made, total: 1 });
    expect(checks).toHaveBeenCalledTimes(made.length);
    expect(output).toEqual({ items: made.map(({ id }) => input(id)), total: 1 });
  });

  it("is the same JSON with parts and without", () => {
    const value = fc.jsonValue().map((json) => json as object);
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.oneof(value, fc.constant(undefined))),
        fc.array(fc.dictionary(fc.string(), value)),
        fc.string(),
        (output, rows, name) => {
          const schema = z.record(z.string(), z.unknown());
          const parts = rows.map((row) => checkPart(schema, row).part);
          for (const answer of [{ ...output, [name]: parts }, { [name]: parts, ...output }, output, parts, null]) {
            expect(outputJson(answer)).toBe(JSON.stringify(answer));
          }
        },
      ),
    );
  });
});
