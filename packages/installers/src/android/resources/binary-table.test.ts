import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { chunk, compileResourceTable, type EntryLayout } from "../../../testing/android-binary";
import { resourceIds, type SourceResource } from "../../../testing/android-sources";
import { MAX_RESOURCE_SEARCH_BYTES } from "../../limits";
import { parseResourceTable, ResourceTableError } from "./binary-table";
import { type ResourceValue, resolveAll, resolveText, resolveValue } from "./resource-table";

vi.setConfig({ testTimeout: 30_000 }); // a busy machine takes many times longer

const RESOURCES: SourceResource[] = [
  { type: "string", name: "filler", values: [{ value: { string: "nothing" } }] },
  {
    type: "string",
    name: "app_name",
    values: [
      { value: { string: "Example" } },
      { config: { locale: "de" }, value: { string: "Beispiel" } },
      { config: { locale: "fil" }, value: { string: "Halimbawa" } },
      { config: { locale: "pt-BR" }, value: { string: "Exemplo" } },
    ],
  },
  { type: "string", name: "alias", values: [{ value: { reference: "string/app_name" } }] },
  { type: "color", name: "ground", values: [{ value: { color: 0xff00ff00 } }] },
  { type: "integer", name: "code", values: [{ value: { integer: -5 } }] },
  { type: "bool", name: "flag", values: [{ value: { boolean: true } }] },
  {
    type: "mipmap",
    name: "icon",
    values: [
      { config: { density: 160 }, value: { string: "res/m.png" } },
      { config: { density: 640 }, value: { string: "res/xxxh.png" } },
      { config: { density: 0xfffe, sdkVersion: 26 }, value: { string: "res/any.xml" } },
      { config: { density: 640, night: true }, value: { string: "res/night.png" } },
    ],
  },
];
const IDS = resourceIds(RESOURCES);

function reference(name: string): ResourceValue {
  return { type: "reference", id: IDS.get(name) as number };
}

describe("a binary resource table", () => {
  const layouts: EntryLayout[] = ["plain", "sparse", "offset16", "compact"];

  it.each(layouts.flatMap((layout) => [true, false].map((utf8) => ({ layout, utf8 }))))(
    "gives values of every kind back ($layout entries, UTF-8: $utf8)",
    (options) => {
      const table = parseResourceTable(compileResourceTable("com.example", RESOURCES, options));
      expect(resolveText(table, reference("string/app_name"))).toBe("Example");
      expect(resolveText(table, reference("string/alias"))).toBe("Example");
      expect(resolveValue(table, reference("color/ground"))).toEqual({ type: "color", argb: 0xff00ff00 });
      expect(resolveValue(table, reference("integer/code"))).toEqual({ type: "integer", value: -5 });
      expect(resolveValue(table, reference("bool/flag"))).toEqual({ type: "boolean", value: true });
    },
  );

  it("has the language of each value, of two or three letters and with a region", () => {
    const table = parseResourceTable(compileResourceTable("com.example", RESOURCES));
    const found = table.candidates({ type: "reference", id: IDS.get("string/app_name") as number });
    expect(found.map(({ config }) => config.locale)).toEqual(["", "de", "fil", "pt-BR"]);
  });

  it("prefers any density, then the highest, and values for night mode last", () => {
    const table = parseResourceTable(compileResourceTable("com.example", RESOURCES));
    const paths = resolveAll(table, reference("mipmap/icon")).map(({ value }) => value);
    expect(paths).toEqual(
      ["res/any.xml", "res/xxxh.png", "res/m.png", "res/night.png"].map((value) => ({ type: "string", value })),
    );
  });

  it("prefers the default language, then English", () => {
    const named = (locales: string[]) => {
      const values = locales.map((locale) => ({ config: { locale }, value: { string: locale || "own" } }));
      const table = parseResourceTable(compileResourceTable("a.b", [{ type: "string", name: "n", values }]));
      return resolveText(table, { type: "reference", id: 0x7f010000 });
    };
    expect(named(["de", "en", ""])).toBe("own");
    expect(named(["de", "en-GB", "fr"])).toBe("en-GB");
    expect(named(["de", "en-GB", "en-US"])).toBe("en-US");
    expect(named(["fr", "de"])).toBe("fr");
  });

  it("cuts off a cycle of references", () => {
    const loop: SourceResource[] = [
      { type: "string", name: "a", values: [{ value: { reference: "string/b" } }] },
      { type: "string", name: "b", values: [{ value: { reference: "string/a" } }] },
    ];
    const table = parseResourceTable(compileResourceTable("a.b", loop));
    expect(resolveValue(table, { type: "reference", id: 0x7f010000 })).toBeNull();
  });

  it("follows a chain of at most 20 references", () => {
    const chain = (length: number) => {
      const resources: SourceResource[] = Array.from({ length }, (_, index) => ({
        type: "string",
        name: `s${index}`,
        values: [{ value: index === length - 1 ? { string: "end" } : { reference: `string/s${index + 1}` } }],
      }));
      const table = parseResourceTable(compileResourceTable("a.b", resources));
      return resolveText(table, { type: "reference", id: 0x7f010000 });
    };
    expect(chain(20)).toBe("end");
    expect(chain(21)).toBeNull();
  });

  it("resolves a reference without a package in the first package", () => {
    const table = parseResourceTable(compileResourceTable("com.example", RESOURCES));
    expect(resolveText(table, { type: "reference", id: (IDS.get("string/app_name") as number) & 0xffffff })).toBe(
      "Example",
    );
  });

  it("finds nothing for unknown ids", () => {
    const table = parseResourceTable(compileResourceTable("com.example", RESOURCES));
    for (const id of [0x7f01ffff, 0x7fff0000, 0x01010001, 0x7f000000]) {
      expect(table.candidates({ type: "reference", id })).toEqual([]);
    }
  });

  it("merges packages with the same id", () => {
    const first = compileResourceTable("a.b", [
      { type: "string", name: "n", values: [{ config: { locale: "de" }, value: { reference: 0x7f020000 } }] },
    ]);
    const second = compileResourceTable("a.b", [
      { type: "bool", name: "f", values: [{ value: { boolean: true } }] },
      { type: "integer", name: "n", values: [{ value: { integer: 42 } }] },
    ]);
    const packageOf = (table: Uint8Array) => {
      const data = Buffer.from(table);
      return data.subarray(12 + data.readUInt32LE(16));
    };
    const pool = Buffer.from(first).subarray(12, 12 + Buffer.from(first).readUInt32LE(16));
    const count = Buffer.alloc(4);
    count.writeUInt32LE(2, 0);
    const joined = chunk(0x0002, count, Buffer.concat([pool, packageOf(first), packageOf(second)]));
    const table = parseResourceTable(joined);
    expect(table.candidates({ type: "reference", id: 0x7f010000 }).map(({ value }) => value.type)).toEqual([
      "reference",
      "boolean",
    ]);
    expect(resolveValue(table, { type: "reference", id: 0x7f020000 })).toEqual({ type: "integer", value: 42 });
  });

  it("is not searched beyond the limit, however often it is referenced", () => {
    const configurations = 20_000;
    const resources: SourceResource[] = [{ type: "bool", name: "f", values: [{ value: { boolean: true } }] }];
    const bytes = Buffer.from(compileResourceTable("a.b", resources));
    const start = 12 + bytes.readUInt32LE(16);
    const packageHeader = bytes.subarray(start + 8, start + bytes.readUInt16LE(start + 2));
    const typeChunk = bytes.subarray(-bytes.readUInt32LE(bytes.lastIndexOf(Buffer.of(0x01, 0x02, 0x54, 0x00)) + 4));
    const types = Buffer.concat(Array.from({ length: configurations }, () => typeChunk));
    const table = parseResourceTable(chunk(0x0002, Buffer.alloc(4), chunk(0x0200, packageHeader, types)));
    const counts = Array.from({ length: 100 }, () => table.candidates({ type: "reference", id: 0x7f010000 }).length);
    expect(counts[0]).toBe(configurations);
    expect(counts.reduce((sum, count) => sum + count)).toBe(MAX_RESOURCE_SEARCH_BYTES / 16);
  });

  it.each([
    ["nothing", () => Buffer.alloc(0)],
    ["another file", () => Buffer.from("not a table of resources")],
    ["a table whose chunk ends behind it", () => Buffer.from(compileResourceTable("a.b", RESOURCES)).subarray(0, -4)],
  ])("refuses %s", (_, make) => {
    expect(() => parseResourceTable(make())).toThrow(ResourceTableError);
  });

  it("is read or refused with a ResourceTableError when it is damaged", () => {
    const bytes = compileResourceTable("com.example", RESOURCES);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }),
        (changes) => {
          const damaged = bytes.slice();
          for (const [at, byte] of changes) damaged[at] = byte;
          try {
            const table = parseResourceTable(damaged);
            for (const id of IDS.values()) resolveAll(table, { type: "reference", id });
          } catch (error) {
            expect(error).toBeInstanceOf(ResourceTableError);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
