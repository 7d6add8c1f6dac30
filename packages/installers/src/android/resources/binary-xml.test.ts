import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { chunk, compileBinaryXml } from "../../../testing/android-binary";
import { android, element, plain, type SourceElement } from "../../../testing/android-sources";
import { MAX_XML_DEPTH } from "../../limits";
import { BinaryXmlError, parseBinaryXml } from "./binary-xml";
import { ANDROID_NAMESPACE, androidAttribute, plainAttribute, type XmlElement } from "./xml";

vi.setConfig({ testTimeout: 30_000 }); // a busy machine takes many times longer

const NO_IDS = new Map<string, number>();
const START_ELEMENT = 0x0102;

const MANIFEST = element(
  "manifest",
  [
    android("versionCode", { integer: 7 }),
    android("versionName", { string: "1.0" }),
    plain("package", "com.example.app"),
  ],
  [
    element("application", [
      android("label", { reference: 0x7f010000 }),
      android("debuggable", { boolean: true }),
      android("width", { dimension: 48 }),
      android("alpha", { float: 0.5 }),
      android("color", { color: 0xff112233 }),
    ]),
    element("uses-sdk", [android("minSdkVersion", { string: "Tiramisu" })]),
  ],
);

/** The chunks after the header of the file, with their offsets. */
function chunksOf(bytes: Uint8Array): { type: number; start: number; end: number }[] {
  const data = Buffer.from(bytes);
  const chunks = [];
  for (let at = 8; at < data.length; at += data.readUInt32LE(at + 4)) {
    chunks.push({ type: data.readUInt16LE(at), start: at, end: at + data.readUInt32LE(at + 4) });
  }
  return chunks;
}

/** The file with chunks inserted before the one at `index`, and its size corrected. */
function withChunk(bytes: Uint8Array, index: number, added: Uint8Array): Buffer {
  const { start } = chunksOf(bytes)[index] as { start: number };
  const joined = Buffer.concat([bytes.subarray(0, start), added, bytes.subarray(start)]);
  joined.writeUInt32LE(joined.length, 4);
  return joined;
}

function firstElement(bytes: Uint8Array): number {
  return chunksOf(bytes).find(({ type }) => type === START_ELEMENT)?.start as number;
}

describe("Android binary XML", () => {
  it.each([true, false])("has the elements, attributes and values of its source (UTF-8 strings: %s)", (utf8) => {
    const root = parseBinaryXml(compileBinaryXml(MANIFEST, NO_IDS, { utf8 }));
    expect(root.name).toBe("manifest");
    expect(androidAttribute(root, "versionCode")).toEqual({ type: "integer", value: 7 });
    expect(androidAttribute(root, "versionName")).toEqual({ type: "string", value: "1.0" });
    expect(plainAttribute(root, "package")).toEqual({ type: "string", value: "com.example.app" });
    const [application, usesSdk] = root.children as [XmlElement, XmlElement];
    expect(androidAttribute(application, "label")).toEqual({ type: "reference", id: 0x7f010000 });
    expect(androidAttribute(application, "debuggable")).toEqual({ type: "boolean", value: true });
    expect(androidAttribute(application, "width")).toEqual({ type: "dimension", value: 48 });
    expect(androidAttribute(application, "alpha")).toEqual({ type: "float", value: 0.5 });
    expect(androidAttribute(application, "color")).toEqual({ type: "color", argb: 0xff112233 });
    expect(androidAttribute(usesSdk, "minSdkVersion")).toEqual({ type: "string", value: "Tiramisu" });
  });

  it.each([true, false])("has strings of any length and script (UTF-8: %s)", (utf8) => {
    const texts = ["", "ä", "日本語", "😀", "x".repeat(127), "x".repeat(128), "é".repeat(200), "y".repeat(0x7fff)];
    for (const text of texts) {
      const root = parseBinaryXml(compileBinaryXml(element("a", [plain("value", text)]), NO_IDS, { utf8 }));
      expect(plainAttribute(root, "value")).toEqual({ type: "string", value: text });
    }
  });

  it("has UTF-16 strings with a length of two units", () => {
    const text = "z".repeat(0x8001);
    const root = parseBinaryXml(compileBinaryXml(element("a", [plain("value", text)]), NO_IDS, { utf8: false }));
    expect(plainAttribute(root, "value")).toEqual({ type: "string", value: text });
  });

  it("has CESU-8 surrogates, as written by Java", () => {
    const bytes = Buffer.from(compileBinaryXml(element("a", [plain("value", "??????!")]), NO_IDS));
    bytes.set([0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80], bytes.indexOf("??????!"));
    expect(plainAttribute(parseBinaryXml(bytes), "value")).toEqual({ type: "string", value: "😀!" });
  });

  it("identifies an attribute by its id when its name is obfuscated", () => {
    const bytes = Buffer.from(compileBinaryXml(MANIFEST, NO_IDS));
    bytes.write("qqqqqqqqqqq", bytes.indexOf("versionName"));
    const root = parseBinaryXml(bytes);
    expect(root.attributes.some(({ name }) => name === "versionName")).toBe(false);
    expect(androidAttribute(root, "versionName")).toEqual({ type: "string", value: "1.0" });
  });

  it("does not identify an attribute by its name when it has another id", () => {
    const decoy = element("manifest", [{ name: "versionName", id: 0x0101ffff, value: { string: "decoy" } }]);
    expect(androidAttribute(parseBinaryXml(compileBinaryXml(decoy, NO_IDS)), "versionName")).toBeNull();
  });

  it("uses the first of two attributes with the same id", () => {
    const twice = element("manifest", [
      android("versionName", { string: "first" }),
      android("versionName", { string: "second" }),
    ]);
    const root = parseBinaryXml(compileBinaryXml(twice, NO_IDS));
    expect(androidAttribute(root, "versionName")).toEqual({ type: "string", value: "first" });
  });

  it("identifies an attribute without an id by name and namespace", () => {
    const root: XmlElement = {
      name: "manifest",
      children: [],
      attributes: [
        { namespace: "urn:other", name: "label", resourceId: 0, value: { type: "string", value: "other" } },
        { namespace: ANDROID_NAMESPACE, name: "label", resourceId: 0, value: { type: "string", value: "named" } },
      ],
    };
    expect(androidAttribute(root, "label")).toEqual({ type: "string", value: "named" });
  });

  it("tolerates what Android does: another file type, unknown chunks, bytes after the end", () => {
    const junk = chunk(0x4242, Buffer.alloc(4), Buffer.alloc(40, 0xaa));
    let bytes = withChunk(compileBinaryXml(MANIFEST, NO_IDS), 0, junk);
    bytes = withChunk(bytes, 3, junk);
    bytes.writeUInt16LE(0x0000, 0);
    const root = parseBinaryXml(Buffer.concat([bytes, Buffer.from("trailing")]));
    expect(plainAttribute(root, "package")).toEqual({ type: "string", value: "com.example.app" });
    expect(root.children.map(({ name }) => name)).toEqual(["application", "uses-sdk"]);
  });

  it("ignores what follows the root element", () => {
    const bytes = Buffer.from(compileBinaryXml(MANIFEST, NO_IDS));
    const last = chunksOf(bytes).at(-1) as { start: number };
    bytes.writeUInt32LE(0, last.start + 4);
    expect(parseBinaryXml(bytes).children).toHaveLength(2);
  });

  it("supports padding between attributes", () => {
    const bytes = Buffer.from(compileBinaryXml(element("a", [plain("value", "x")]), NO_IDS));
    const start = firstElement(bytes);
    const size = bytes.readUInt32LE(start + 4);
    bytes.writeUInt16LE(24, start + 16 + 10);
    bytes.writeUInt32LE(size + 4, start + 4);
    const longer = Buffer.concat([bytes.subarray(0, start + size), Buffer.alloc(4), bytes.subarray(start + size)]);
    longer.writeUInt32LE(longer.length, 4);
    expect(plainAttribute(parseBinaryXml(longer), "value")).toEqual({ type: "string", value: "x" });
  });

  it("decodes a string once, however often it is used", () => {
    const decode = vi.spyOn(TextDecoder.prototype, "decode");
    const attributes = Array.from({ length: 1000 }, () => plain("value", "a long text"));
    const root = parseBinaryXml(compileBinaryXml(element("a", attributes), NO_IDS));
    expect(plainAttribute(root, "value")).toEqual({ type: "string", value: "a long text" });
    expect(decode.mock.calls.length).toBeLessThan(10);
    decode.mockRestore();
  });

  it("has no more text than its pool, when strings overlap", () => {
    const count = 1000;
    const names = Array.from({ length: count }, (_, index) => plain(`n${index}`, "x".repeat(index === 0 ? 10_000 : 1)));
    const bytes = Buffer.from(compileBinaryXml(element("a", names), NO_IDS));
    // Let the offsets of all strings of the pool be that of the long one.
    const [offsets, strings] = [8 + bytes.readUInt16LE(10), 8 + bytes.readUInt32LE(28)];
    // Before the text stand its lengths in UTF-16 units and in bytes, each in two bytes.
    const target = bytes.indexOf("x".repeat(10_000)) - 4 - strings;
    for (let index = 0; index < bytes.readUInt32LE(16); index++) bytes.writeUInt32LE(target, offsets + 4 * index);
    const root = parseBinaryXml(bytes);
    const long = root.attributes.filter(({ name }) => name.length === 10_000);
    expect(long.length).toBeGreaterThan(0);
    expect(long.length).toBeLessThanOrEqual(bytes.readUInt32LE(12) / 10_000);
  });

  it("has no string for an index or an offset outside of the pool", () => {
    const bytes = Buffer.from(compileBinaryXml(element("a", [plain("value", "x")]), NO_IDS));
    const value = firstElement(bytes) + 16 + 20 + 16;
    bytes.writeUInt32LE(0xfffffff0, value);
    expect(plainAttribute(parseBinaryXml(bytes), "value")).toEqual({ type: "null" });
  });

  it.each([
    ["nothing", () => Buffer.alloc(0)],
    ["text", () => Buffer.from('<?xml version="1.0"?><manifest package="a.b"/>')],
    ["no element", () => chunk(0x0003, Buffer.alloc(0), Buffer.alloc(0))],
    [
      "a chunk that ends behind the file",
      () => {
        const bytes = Buffer.from(compileBinaryXml(MANIFEST, NO_IDS));
        bytes.writeUInt32LE(bytes.length, firstElement(bytes) + 4);
        return bytes;
      },
    ],
    [
      "a chunk without length",
      () => {
        const bytes = Buffer.from(compileBinaryXml(MANIFEST, NO_IDS));
        bytes.writeUInt32LE(0, firstElement(bytes) + 4);
        return bytes;
      },
    ],
    [
      "65,535 attributes of no length",
      () => {
        const bytes = Buffer.from(compileBinaryXml(MANIFEST, NO_IDS));
        bytes.writeUInt32LE(0xffff0000, firstElement(bytes) + 16 + 10);
        return bytes;
      },
    ],
  ])("refuses %s", (_, make) => {
    expect(() => parseBinaryXml(make())).toThrow(BinaryXmlError);
  });

  it("is refused when elements are nested too deeply", () => {
    let deep: SourceElement = element("a");
    for (let level = 1; level < MAX_XML_DEPTH; level++) deep = element("a", [], [deep]);
    expect(parseBinaryXml(compileBinaryXml(deep, NO_IDS)).name).toBe("a");
    expect(() => parseBinaryXml(compileBinaryXml(element("a", [], [deep]), NO_IDS))).toThrow(BinaryXmlError);
  });

  it("is refused when it has too many elements", () => {
    const unit = compileBinaryXml(element("a", [], [element("b")]), NO_IDS);
    const [start, end] = chunksOf(unit)
      .filter(({ type }) => type === START_ELEMENT || type === START_ELEMENT + 1)
      .slice(1, 3);
    const pair = Buffer.from(unit.subarray(start?.start, end?.end));
    const index = chunksOf(unit).findIndex(({ start: at }) => at === start?.start);
    const many = withChunk(unit, index, Buffer.concat(Array.from({ length: 100_001 }, () => pair)));
    expect(() => parseBinaryXml(many)).toThrow(BinaryXmlError);
  });

  it("is parsed or refused with a BinaryXmlError when it is damaged", () => {
    const bytes = compileBinaryXml(MANIFEST, NO_IDS);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }),
        fc.nat(bytes.length),
        (changes, length) => {
          const damaged = bytes.slice();
          for (const [at, byte] of changes) damaged[at] = byte;
          for (const candidate of [damaged, damaged.subarray(0, length)]) {
            try {
              parseBinaryXml(candidate);
            } catch (error) {
              expect(error).toBeInstanceOf(BinaryXmlError);
            }
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
