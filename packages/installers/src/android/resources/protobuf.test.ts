import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { compileProtobufResources, compileProtobufXml, message } from "../../../testing/android-protobuf";
import {
  android,
  element,
  plain,
  resourceIds,
  type SourceElement,
  type SourceResource,
} from "../../../testing/android-sources";
import { ProtobufError } from "../../encoding/protobuf";
import { MAX_RESOURCE_ENTRIES, MAX_RESOURCE_SEARCH_BYTES, MAX_XML_DEPTH } from "../../limits";
import { parseProtobufResources, parseProtobufXml } from "./protobuf";
import { type ResourceValue, resolveAll, resolveText, resolveValue } from "./resource-table";
import { androidAttribute, plainAttribute, type XmlElement } from "./xml";

vi.setConfig({ testTimeout: 30_000 }); // a busy machine takes many times longer

const RESOURCES: SourceResource[] = [
  {
    type: "string",
    name: "app_name",
    values: [{ value: { string: "Example" } }, { config: { locale: "de" }, value: { string: "Beispiel" } }],
  },
  { type: "string", name: "alias", values: [{ value: { reference: "string/app_name" } }] },
  {
    type: "mipmap",
    name: "icon",
    values: [
      { config: { density: 640, night: true }, value: { string: "res/night.png" } },
      { config: { density: 160 }, value: { string: "res/m.png" } },
      { config: { density: 0xfffe, sdkVersion: 26 }, value: { string: "res/any.xml" } },
    ],
  },
];
const IDS = resourceIds(RESOURCES);

const MANIFEST = element(
  "manifest",
  [android("versionCode", { integer: -7 }), plain("package", "com.example.app")],
  [
    element("application", [
      android("label", { reference: "string/app_name" }),
      android("debuggable", { boolean: true }),
      android("width", { dimension: 48 }),
      android("alpha", { float: 0.5 }),
      android("color", { color: 0xff112233 }),
    ]),
  ],
);

describe("a bundle's XML", () => {
  it("has the elements, attributes and values of its source", () => {
    const root = parseProtobufXml(compileProtobufXml(MANIFEST, IDS));
    expect(root.name).toBe("manifest");
    expect(androidAttribute(root, "versionCode")).toEqual({ type: "integer", value: -7 });
    expect(plainAttribute(root, "package")).toEqual({ type: "string", value: "com.example.app" });
    const [application] = root.children as [XmlElement];
    expect(androidAttribute(application, "label")).toEqual({
      type: "reference",
      id: IDS.get("string/app_name"),
      name: "string/app_name",
    });
    expect(androidAttribute(application, "debuggable")).toEqual({ type: "boolean", value: true });
    expect(androidAttribute(application, "width")).toEqual({ type: "dimension", value: 48 });
    expect(androidAttribute(application, "alpha")).toEqual({ type: "float", value: 0.5 });
    expect(androidAttribute(application, "color")).toEqual({ type: "color", argb: 0xff112233 });
  });

  it("is refused without an element and when elements are nested too deeply", () => {
    let deep: SourceElement = element("a");
    for (let level = 1; level < MAX_XML_DEPTH; level++) deep = element("a", [], [deep]);
    expect(parseProtobufXml(compileProtobufXml(deep, IDS)).name).toBe("a");
    expect(() => parseProtobufXml(compileProtobufXml(element("a", [], [deep]), IDS))).toThrow(ProtobufError);
    expect(() => parseProtobufXml(message([[2, "text"]]))).toThrow(ProtobufError);
  });

  it("is refused when it has more elements than any manifest", () => {
    const child = message([[1, message([[3, "b"]])]]);
    const many = Buffer.concat(Array.from({ length: 100_001 }, () => message([[5, child]])));
    expect(() => parseProtobufXml(message([[1, many]]))).toThrow(ProtobufError);
  });

  it("is parsed or refused with a ProtobufError when it is damaged", () => {
    const bytes = compileProtobufXml(MANIFEST, IDS);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }),
        (changes) => {
          const damaged = bytes.slice();
          for (const [at, byte] of changes) damaged[at] = byte;
          try {
            parseProtobufXml(damaged);
          } catch (error) {
            expect(error).toBeInstanceOf(ProtobufError);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("a bundle's resources", () => {
  const table = parseProtobufResources(compileProtobufResources("com.example", RESOURCES));
  const reference = (name: string): ResourceValue => ({ type: "reference", id: IDS.get(name) as number });

  it("are found by id, through references, in the default language", () => {
    expect(resolveText(table, reference("string/app_name"))).toBe("Example");
    expect(resolveText(table, reference("string/alias"))).toBe("Example");
  });

  it("are found by name when a reference has no id, with or without a package", () => {
    for (const name of ["string/app_name", "com.example:string/app_name"]) {
      expect(resolveText(table, { type: "reference", id: 0, name })).toBe("Example");
    }
    expect(resolveValue(table, { type: "reference", id: 0, name: "string/other" })).toBeNull();
  });

  it("are ordered by density, with those for night mode last", () => {
    const paths = resolveAll(table, reference("mipmap/icon")).map(({ value }) => value);
    expect(paths).toEqual(["res/any.xml", "res/m.png", "res/night.png"].map((value) => ({ type: "string", value })));
  });

  it("are not searched beyond the limit, however often they are referenced", () => {
    const length = 100_000;
    const resources = [{ type: "string", name: "long", values: [{ value: { string: "x".repeat(length) } }] }];
    const large = parseProtobufResources(compileProtobufResources("com.example", resources));
    const searches = Math.floor(MAX_RESOURCE_SEARCH_BYTES / length);
    const found = Array.from({ length: 2 * searches }, () => resolveText(large, { type: "reference", id: 0x7f010000 }));
    expect(found[0]).toHaveLength(length);
    expect(found.filter((text) => text !== null).length).toBeLessThanOrEqual(searches);
  });

  it("are none when there are too many types or entries", () => {
    const types = Array.from({ length: 5000 }, () => [3, ""] as const);
    expect(() => parseProtobufResources(message([[2, message(types)]]))).toThrow(ProtobufError);
    // Field 3 of a type is an entry, here an empty one, whose id is 0.
    const entries = Buffer.alloc(2 * (MAX_RESOURCE_ENTRIES + 1), Buffer.of(0x1a, 0x00));
    const crowded = parseProtobufResources(
      message([[2, message([[3, Buffer.concat([entries, message([[1, message([[1, 1]])]])])]])]]),
    );
    expect(crowded.candidates({ type: "reference", id: 0x7f010000 })).toEqual([]);
  });

  it("of a damaged file are those that can be read", () => {
    const bytes = compileProtobufResources("com.example", RESOURCES);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }),
        (changes) => {
          const damaged = bytes.slice();
          for (const [at, byte] of changes) damaged[at] = byte;
          try {
            const damagedTable = parseProtobufResources(damaged);
            for (const name of IDS.keys()) resolveAll(damagedTable, reference(name));
          } catch (error) {
            expect(error).toBeInstanceOf(ProtobufError);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
