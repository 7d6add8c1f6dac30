import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { makeBinaryPlist, makeXmlPlist, type PlistInput } from "../../testing/make-plist";
import { MAX_PLIST_BYTES } from "../limits";
import { arrayOf, PlistError, type PlistValue, parsePlist, parsePlistDictionary, textOf } from "./property-list";

vi.setConfig({ testTimeout: 30_000 }); // a busy machine takes many times longer

const bytes = (text: string) => new Uint8Array(Buffer.from(text));
const xml = (body: string, prolog = "") =>
  parsePlist(bytes(`<?xml version="1.0"?>${prolog}<plist version="1.0">${body}</plist>`));
const text = (value: string) => parsePlist(bytes(value));
const dictionary = (entries: Record<string, PlistValue>) => new Map(Object.entries(entries));

const everything: PlistInput = {
  string: "Ñandú & <friends> 日本",
  number: -42,
  large: 2 ** 40,
  real: 1.5,
  yes: true,
  no: false,
  date: new Date(Date.UTC(2024, 1, 29, 12, 30, 15)),
  data: Uint8Array.of(0, 1, 254, 255),
  list: ["a", 1, ["deep", {}]],
  dictionary: { inner: { innermost: "x".repeat(300) } },
};

describe("XML and binary lists", () => {
  test.each([
    ["XML", makeXmlPlist],
    ["binary", makeBinaryPlist],
  ])("%s contains values of every type", (_, make) => {
    const list = parsePlistDictionary(make(everything));
    expect(list.get("string")).toBe("Ñandú & <friends> 日本");
    expect([list.get("number"), list.get("large"), list.get("real")]).toEqual([-42, 2 ** 40, 1.5]);
    expect([list.get("yes"), list.get("no")]).toEqual([true, false]);
    expect(list.get("date")).toEqual(new Date("2024-02-29T12:30:15Z"));
    expect(list.get("data")).toEqual(Uint8Array.of(0, 1, 254, 255));
    expect(list.get("list")).toEqual(["a", 1, ["deep", new Map()]]);
    expect(list.get("dictionary")).toEqual(dictionary({ inner: dictionary({ innermost: "x".repeat(300) }) }));
  });

  test("any value is read as it was written, in both formats", () => {
    const { tree } = fc.letrec<{ tree: PlistInput }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.string({ unit: "binary" }).filter((value) => !/[\p{Cc}\ufffe\uffff]/u.test(value)),
        fc.integer(),
        fc.boolean(),
        fc.uint8Array({ maxLength: 40 }),
        fc.array(tie("tree"), { maxLength: 5 }),
        fc.dictionary(fc.stringMatching(/^[A-Za-z<&>"']{1,20}$/), tie("tree"), { maxKeys: 5, noNullPrototype: true }),
      ),
    }));
    const expected = (value: PlistInput): unknown => {
      if (Array.isArray(value)) return value.map(expected);
      if (typeof value !== "object" || value instanceof Uint8Array || value instanceof Date) return value;
      return new Map(Object.entries(value).map(([key, member]) => [key, expected(member as PlistInput)]));
    };
    fc.assert(
      fc.property(tree, (value) => {
        expect(parsePlist(makeXmlPlist(value))).toEqual(expected(value));
        expect(parsePlist(makeBinaryPlist(value))).toEqual(expected(value));
      }),
    );
  });

  test("keys never become properties of an object", () => {
    const list = parsePlistDictionary(
      makeBinaryPlist(JSON.parse('{"__proto__": {"polluted": true}, "toString": "x"}')),
    );
    expect([...list.keys()]).toEqual(["__proto__", "toString"]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe("XML lists", () => {
  test("Apple's own DOCTYPE is accepted, with or without an XML declaration", () => {
    const doctype =
      '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">';
    expect(xml("<string>a</string>", doctype)).toBe("a");
    expect(text(`${doctype}\n<plist version="1.0"><string>a</string></plist>`)).toBe("a");
    expect(text("<dict><key>a</key><true/></dict>")).toEqual(dictionary({ a: true }));
  });

  test.each([
    "<!DOCTYPE plist []>",
    '<!DOCTYPE plist SYSTEM "a>b" [<!ELEMENT plist ANY>]>',
    `<!DOCTYPE plist [<!ENTITY a "]>"> <!-- ' ]> --> <!ATTLIST plist version CDATA '1.0'>] >`,
  ])("the declarations of %s are skipped", (doctype) => {
    expect(xml("<string>a</string>", doctype)).toBe("a");
  });

  test.each([
    ["an entity of an internal subset", "<string>&a;</string>", '<!DOCTYPE plist [<!ENTITY a "b">]>'],
    ["an internal subset without an end", "<string>a</string>", '<!DOCTYPE plist [<!ENTITY a "]>'],
    ["an entity of its own", "<string>&a;</string>", ""],
    ["an entity without an end", "<string>&amp</string>", ""],
    ["a parameter entity", "<string>a</string>", "<!DOCTYPE plist %a;>"],
    ["character zero", "<string>&#0;</string>", ""],
    ["a character beyond Unicode", "<string>&#x110000;</string>", ""],
    ["a second DOCTYPE", "<string>a</string>", "<!DOCTYPE plist><!DOCTYPE plist>"],
  ])("%s is refused", (_, body, prolog) => {
    expect(() => xml(body, prolog)).toThrow(PlistError);
  });

  test("comments, CDATA, attributes and character references are supported", () => {
    expect(xml("<!-- a > b --><string lang='en'>a<![CDATA[<&>]]>b<!-- c -->&#241;&#x65E5;&lt;</string>")).toBe(
      "a<&>bñ日<",
    );
  });

  test.each(["utf-16le", "utf-16be"] as const)("%s is read, with and without a byte order mark", (encoding) => {
    const source = '<?xml version="1.0" encoding="UTF-16"?><plist><string>Größe</string></plist>';
    for (const mark of ["\ufeff", ""]) {
      const encoded = Buffer.from(mark + source, "utf16le");
      expect(parsePlist(new Uint8Array(encoding === "utf-16le" ? encoded : encoded.swap16()))).toBe("Größe");
    }
  });

  test("a UTF-8 byte order mark and a declared Latin encoding are read, an unknown encoding is refused", () => {
    const source = (encoding: string) =>
      `<?xml version="1.0" encoding="${encoding}"?><plist><string>é</string></plist>`;
    expect(parsePlist(bytes(`\ufeff${source("UTF-8")}`))).toBe("é");
    expect(parsePlist(new Uint8Array(Buffer.from(source("ISO-8859-1"), "latin1")))).toBe("é");
    expect(() => parsePlist(bytes(source("x-secret")))).toThrow(PlistError);
    expect(() => parsePlist(new Uint8Array(Buffer.from(source("UTF-8"), "latin1")))).toThrow(PlistError);
  });

  test("numbers are decimal or hexadecimal, of any size", () => {
    const integer = (value: string) => xml(`<integer>${value}</integer>`);
    expect([integer("+7"), integer("-0x1F"), integer(" 5 ")]).toEqual([7, -31, 5]);
    expect(integer("18446744073709551615")).toBe(18446744073709551615n);
    expect([xml("<real>1e3</real>"), xml("<real>-.5</real>"), xml("<real>+infinity</real>")]).toEqual([
      1000,
      -0.5,
      Infinity,
    ]);
  });

  test.each([
    "<integer>1.5</integer>",
    "<integer></integer>",
    "<real>1,5</real>",
    "<date>yesterday</date>",
    "<date>2024-13-01T00:00:00Z</date>",
    "<data>a</data>",
    "<true>no</true>",
    "<dict><string>a</string></dict>",
    "<dict><key>a</key></dict>",
    "<array><string>a</array>",
    "<string>a",
    "<string>a</integer>",
    "<unknown/>",
    "<string/><string/>",
    "",
  ])("%s is refused", (body) => {
    expect(() => xml(body)).toThrow(PlistError);
  });

  test("only white space may follow the list", () => {
    expect(text("<plist><true/></plist>\n \0")).toBe(true);
    expect(() => text("<plist><true/></plist><true/>")).toThrow(PlistError);
  });
});

describe("OpenStep lists", () => {
  test("may be the lines of a .strings file", () => {
    const strings = parsePlistDictionary(
      bytes(
        '/* name */\nCFBundleDisplayName = "Mi \\"app\\"";\n"b" = \'c\'; // end\n"\\U00e9\\n\\101" = d.e-f;\n"lone";',
      ),
    );
    expect(Object.fromEntries(strings)).toEqual({
      CFBundleDisplayName: 'Mi "app"',
      b: "c",
      "é\nA": "d.e-f",
      lone: "lone",
    });
  });

  test("may be in UTF-16, as by genstrings", () => {
    const strings = Buffer.from('\ufeff"CFBundleName" = "Größe";\n', "utf16le");
    expect(textOf(parsePlistDictionary(new Uint8Array(strings)), "CFBundleName")).toBe("Größe");
  });

  test("contain dictionaries, arrays and data", () => {
    expect(text("{ a = (b, { c = <00 ff1a>; }, ()); }")).toEqual(
      dictionary({ a: ["b", dictionary({ c: Uint8Array.of(0, 255, 26) }), []] }),
    );
  });

  test("may be empty, which is an empty dictionary", () => {
    expect(text("")).toEqual(new Map());
    expect(text(" // nothing\n")).toEqual(new Map());
  });

  test.each(['"a" = ', '"a" "b";', '"a', "{ a = b", "(a b)", "<0>", "/* never ends", "a = b; }"])(
    "%s is refused",
    (list) => {
      expect(() => text(list)).toThrow(PlistError);
    },
  );
});

describe("limits", () => {
  test("a list of more than 1 MiB is refused", () => {
    expect(() => parsePlist(new Uint8Array(MAX_PLIST_BYTES + 1))).toThrow(PlistError);
  });

  test("deep nesting is refused in every format", () => {
    const nested = (depth: number): PlistInput => (depth === 0 ? [] : [nested(depth - 1)]);
    for (const make of [makeXmlPlist, makeBinaryPlist]) {
      expect(parsePlist(make(nested(60)))).toBeInstanceOf(Array);
      expect(() => parsePlist(make(nested(70)))).toThrow(PlistError);
    }
    expect(() => text("(".repeat(100_000))).toThrow(PlistError);
    expect(() => text("<array>".repeat(100_000))).toThrow(PlistError);
  });

  test("a binary list that contains itself is refused", () => {
    const list = new Uint8Array(makeBinaryPlist([["inner"]]));
    // The objects are written innermost first: the text, the inner list at 8 + 6, the outer one.
    list.set([0, 0, 0, 2], 8 + 6 + 1);
    expect(() => parsePlist(list)).toThrow(PlistError);
  });

  test("a binary list of a few hundred bytes that expands to millions of objects is refused", () => {
    const levels = 30;
    const objects = Array.from({ length: levels }, (_, level) => Buffer.of(0xa2, level + 1, level + 1));
    objects.push(Buffer.of(0x08));
    const offsets = objects.map((_, index) => 8 + index * 3);
    const trailer = Buffer.alloc(32);
    trailer.set([1, 1], 6);
    trailer.writeBigUInt64BE(BigInt(objects.length), 8);
    trailer.writeBigUInt64BE(BigInt(8 + levels * 3 + 1), 24);
    const list = Buffer.concat([Buffer.from("bplist00"), ...objects, Buffer.from(offsets), trailer]);
    expect(() => parsePlist(new Uint8Array(list))).toThrow(PlistError);
  });

  test("a binary list whose texts overlap is refused, before they take more memory than the list", () => {
    const references = 100;
    const length = 20_000;
    const textObject = Buffer.alloc(6 + length, "a");
    textObject.set([0x5f, 0x12], 0);
    textObject.writeUInt32BE(length, 2);
    const array = Buffer.from([0xaf, 0x10, references, ...Array.from({ length: references }, (_, index) => index + 1)]);
    const offsets = [8, ...Array.from({ length: references }, () => 8 + array.length)];
    const trailer = Buffer.alloc(32);
    trailer.set([1, 1], 6);
    trailer.writeBigUInt64BE(BigInt(offsets.length), 8);
    trailer.writeBigUInt64BE(BigInt(8 + array.length + textObject.length), 24);
    const list = Buffer.concat([Buffer.from("bplist00"), array, textObject, Buffer.from(offsets), trailer]);
    expect(() => parsePlist(new Uint8Array(list))).toThrow(PlistError);
  });

  test("a binary list with false counts and offsets is refused before they are used", () => {
    const genuine = makeBinaryPlist({ key: "value" });
    fc.assert(
      fc.property(fc.nat({ max: genuine.length - 1 }), fc.integer({ min: 0, max: 255 }), (at, value) => {
        const list = new Uint8Array(genuine);
        list[at] = value;
        try {
          parsePlist(list);
        } catch (error) {
          expect(error).toBeInstanceOf(PlistError);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test("damaged text is parsed or refused with a PlistError", () => {
    const genuine = [Buffer.from(makeXmlPlist(everything)).toString(), '{ a = (b, <00>); "c" = "\\"d"; }'];
    const noise = fc.array(fc.tuple(fc.nat(), fc.constantFrom(..."<>/&;\"'\\={}()![]-?a0 \n")), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(fc.constantFrom(...genuine), noise, (source, changes) => {
        const characters = [...source];
        for (const [at, character] of changes) characters[at % characters.length] = character;
        try {
          parsePlist(bytes(characters.join("")));
        } catch (error) {
          expect(error).toBeInstanceOf(PlistError);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe("values by key", () => {
  const list = parsePlistDictionary(
    makeXmlPlist({ number: 2024.1, padded: " a\n", empty: " ", list: ["x"], lone: "y" }),
  );

  test("numbers count as text, white space and empty text do not", () => {
    expect(textOf(list, "number")).toBe("2024.1");
    expect(textOf(list, "padded")).toBe("a");
    expect([textOf(list, "empty"), textOf(list, "list"), textOf(list, "absent")]).toEqual([null, null, null]);
  });

  test("a single value counts as an array", () => {
    expect([arrayOf(list, "list"), arrayOf(list, "lone"), arrayOf(list, "absent")]).toEqual([["x"], ["y"], []]);
  });

  test("text has no line breaks, bidirectional marks or unpaired surrogates", () => {
    const hostile = parsePlistDictionary(
      makeBinaryPlist({ name: `a\u202Eb\nc\0d${"\ud83d"}`, long: "x".repeat(1000) }),
    );
    expect(textOf(hostile, "name")).toBe("ab c d\ufffd");
    expect(textOf(hostile, "long")).toHaveLength(255);
  });

  test("a list that is not a dictionary is refused where one is needed", () => {
    expect(() => parsePlistDictionary(makeXmlPlist(["a"]))).toThrow(PlistError);
  });
});
