import { ANDROID_NAMESPACE } from "../src/android/resources/xml";
import {
  referenceId,
  resourceIds,
  type SourceConfig,
  type SourceElement,
  type SourceResource,
  type SourceValue,
} from "./android-sources";

const NONE = 0xffffffff;

/** The layout of the entries of a type. */
export type EntryLayout = "plain" | "sparse" | "offset16" | "compact";

export interface BinaryOptions {
  /** Strings as UTF-8 (default) or UTF-16. */
  utf8?: boolean;
  layout?: EntryLayout;
}

class StringTable {
  readonly strings: string[] = [];

  add(text: string): number {
    const index = this.strings.indexOf(text);
    return index >= 0 ? index : this.strings.push(text) - 1;
  }
}

/** Compiles XML into Android binary XML (ResXMLTree), with `android:` attributes sorted by id as by aapt. */
export function compileBinaryXml(
  root: SourceElement,
  ids: ReadonlyMap<string, number>,
  { utf8 = true }: BinaryOptions = {},
): Uint8Array {
  // The names of attributes with ids come first in the pool, in the order of the resource map.
  const withIds = new Map<string, number>();
  const collect = (node: SourceElement): void => {
    for (const { name, id } of node.attributes) if (id !== undefined) withIds.set(name, id);
    node.children.forEach(collect);
  };
  collect(root);
  const names = [...withIds].toSorted((a, b) => a[1] - b[1]);
  const table = new StringTable();
  for (const [name] of names) table.strings.push(name);
  const namespace = table.add(ANDROID_NAMESPACE);
  const prefix = table.add("android");

  // An attribute without an id must not share the pool entry of one with an id.
  const plainNames = new Map<string, number>();
  const plainName = (name: string): number => {
    if (!withIds.has(name)) return table.add(name);
    const index = plainNames.get(name) ?? table.strings.push(name) - 1;
    plainNames.set(name, index);
    return index;
  };

  const attributeBytes = (attribute: SourceElement["attributes"][number]): Buffer => {
    const { value } = attribute;
    const raw = "string" in value ? table.add(value.string) : NONE;
    const bytes = Buffer.alloc(20);
    bytes.writeUInt32LE(attribute.id === undefined ? NONE : namespace, 0);
    bytes.writeUInt32LE(attribute.id === undefined ? plainName(attribute.name) : table.add(attribute.name), 4);
    bytes.writeUInt32LE(raw, 8);
    resValue(value, ids, () => raw).copy(bytes, 12);
    return bytes;
  };
  const elementBytes = (node: SourceElement): Buffer => {
    const name = table.add(node.name);
    const attributes = node.attributes
      .toSorted((a, b) => (a.id ?? NONE) - (b.id ?? NONE))
      .map((attribute) => attributeBytes(attribute));
    const start = Buffer.alloc(20);
    start.writeUInt32LE(NONE, 0);
    start.writeUInt32LE(name, 4);
    start.writeUInt16LE(20, 8);
    start.writeUInt16LE(20, 10);
    start.writeUInt16LE(attributes.length, 12);
    const end = Buffer.alloc(8);
    end.writeUInt32LE(NONE, 0);
    end.writeUInt32LE(name, 4);
    return Buffer.concat([
      xmlNode(0x0102, Buffer.concat([start, ...attributes])),
      ...node.children.map(elementBytes),
      xmlNode(0x0103, end),
    ]);
  };
  const body = elementBytes(root);
  const scope = Buffer.alloc(8);
  scope.writeUInt32LE(prefix, 0);
  scope.writeUInt32LE(namespace, 4);
  const map = Buffer.alloc(4 * names.length);
  for (const [index, [, id]] of names.entries()) map.writeUInt32LE(id, 4 * index);
  return chunk(
    0x0003,
    Buffer.alloc(0),
    Buffer.concat([
      stringPool(table.strings, utf8),
      chunk(0x0180, Buffer.alloc(0), map),
      xmlNode(0x0100, scope),
      body,
      xmlNode(0x0101, scope),
    ]),
  );
}

/** Compiles a resource table (resources.arsc). */
export function compileResourceTable(
  packageName: string,
  resources: readonly SourceResource[],
  { utf8 = true, layout = "plain" }: BinaryOptions = {},
): Uint8Array {
  const ids = resourceIds(resources);
  const strings = new StringTable();
  const keys = new StringTable();
  const types = [...new Set(resources.map((resource) => resource.type))];
  const typeChunks = types.flatMap((type, index) => {
    const entries = resources.filter((resource) => resource.type === type);
    const spec = Buffer.alloc(4 * entries.length);
    const specHeader = Buffer.alloc(8);
    specHeader.writeUInt8(index + 1, 0);
    specHeader.writeUInt32LE(entries.length, 4);
    const configs = new Map<string, SourceConfig>();
    for (const { values } of entries) for (const { config = {} } of values) configs.set(JSON.stringify(config), config);
    return [
      chunk(0x0202, specHeader, spec),
      ...[...configs].map(([key, config]) => {
        const cells = entries.map(
          (entry) => entry.values.find((value) => JSON.stringify(value.config ?? {}) === key)?.value,
        );
        const entryBytes = cells.map((value, cell) =>
          value === undefined
            ? null
            : tableEntry(value, keys.add((entries[cell] as SourceResource).name), ids, strings, layout === "compact"),
        );
        return typeChunk(index + 1, config, entryBytes, layout);
      }),
    ];
  });
  const header = Buffer.alloc(280);
  header.writeUInt32LE(0x7f, 0);
  header.write(packageName.slice(0, 127), 4, "utf16le");
  const typeStrings = stringPool(types, utf8);
  header.writeUInt32LE(288, 260);
  header.writeUInt32LE(types.length, 264);
  header.writeUInt32LE(288 + typeStrings.length, 268);
  header.writeUInt32LE(keys.strings.length, 272);
  const body = chunk(0x0200, header, Buffer.concat([typeStrings, stringPool(keys.strings, utf8), ...typeChunks]));
  const count = Buffer.alloc(4);
  count.writeUInt32LE(1, 0);
  return chunk(0x0002, count, Buffer.concat([stringPool(strings.strings, utf8), body]));
}

function tableEntry(
  value: SourceValue,
  key: number,
  ids: ReadonlyMap<string, number>,
  strings: StringTable,
  compact: boolean,
): Buffer {
  const res = resValue(value, ids, (text) => strings.add(text));
  const head = Buffer.alloc(8);
  if (compact) {
    head.writeUInt16LE(key, 0);
    head.writeUInt16LE(0x0008 | (res.readUInt8(3) << 8), 2);
    res.copy(head, 4, 4);
    return head;
  }
  head.writeUInt16LE(8, 0);
  head.writeUInt32LE(key, 4);
  return Buffer.concat([head, res]);
}

function typeChunk(id: number, config: SourceConfig, cells: (Buffer | null)[], layout: EntryLayout): Buffer {
  const present = cells.flatMap((bytes, index) => (bytes ? [{ index, bytes }] : []));
  let at = 0;
  const offsets = new Map<number, number>();
  for (const { index, bytes } of present) {
    offsets.set(index, at);
    at += bytes.length;
  }
  let table: Buffer;
  if (layout === "sparse") {
    table = Buffer.alloc(4 * present.length);
    for (const [position, { index }] of present.entries()) {
      table.writeUInt16LE(index, 4 * position);
      table.writeUInt16LE((offsets.get(index) as number) / 4, 4 * position + 2);
    }
  } else if (layout === "offset16") {
    table = Buffer.alloc(4 * Math.ceil(cells.length / 2));
    for (const index of cells.keys()) {
      const offset = offsets.get(index);
      table.writeUInt16LE(offset === undefined ? 0xffff : offset / 4, 2 * index);
    }
  } else {
    table = Buffer.alloc(4 * cells.length);
    for (const index of cells.keys()) table.writeUInt32LE(offsets.get(index) ?? NONE, 4 * index);
  }
  const configBytes = binaryConfig(config);
  const header = Buffer.alloc(12);
  header.writeUInt8(id, 0);
  header.writeUInt8(layout === "sparse" ? 1 : layout === "offset16" ? 2 : 0, 1);
  header.writeUInt32LE(layout === "sparse" ? present.length : cells.length, 4);
  header.writeUInt32LE(8 + 12 + configBytes.length + table.length, 8);
  return chunk(
    0x0201,
    Buffer.concat([header, configBytes]),
    Buffer.concat([table, ...present.map(({ bytes }) => bytes)]),
  );
}

/** A ResTable_config of 64 bytes, as by current tools. */
function binaryConfig({ locale = "", density = 0, sdkVersion = 0, night = false }: SourceConfig): Buffer {
  const bytes = Buffer.alloc(64);
  bytes.writeUInt32LE(64, 0);
  const [language = "", region = ""] = locale.split("-");
  writeLocaleCode(bytes, 8, language, "a");
  writeLocaleCode(bytes, 10, region, "0");
  bytes.writeUInt16LE(density, 14);
  bytes.writeUInt16LE(sdkVersion, 24);
  if (night) bytes.writeUInt8(0x20, 29);
  return bytes;
}

function writeLocaleCode(bytes: Buffer, at: number, code: string, base: string): void {
  if (code.length === 2) bytes.write(code, at, "latin1");
  if (code.length !== 3) return;
  const [first, second, third] = [...code].map((letter) => letter.charCodeAt(0) - base.charCodeAt(0)) as [
    number,
    number,
    number,
  ];
  bytes.writeUInt8(0x80 | (third << 2) | (second >> 3), at);
  bytes.writeUInt8(((second & 7) << 5) | first, at + 1);
}

/** A Res_value. */
function resValue(value: SourceValue, ids: ReadonlyMap<string, number>, stringIndex: (text: string) => number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(8, 0);
  const set = (type: number, data: number) => {
    bytes.writeUInt8(type, 3);
    bytes.writeUInt32LE(data >>> 0, 4);
    return bytes;
  };
  if ("string" in value) return set(0x03, stringIndex(value.string));
  if ("integer" in value) return set(0x10, value.integer);
  if ("boolean" in value) return set(0x12, value.boolean ? NONE : 0);
  if ("color" in value) return set(0x1c, value.color);
  if ("reference" in value) return set(0x01, referenceId(ids, value.reference));
  // Whole dp: radix 23p0, unit dip.
  if ("dimension" in value) return set(0x05, (value.dimension << 8) | 0x01);
  bytes.writeUInt8(0x04, 3);
  bytes.writeFloatLE(value.float, 4);
  return bytes;
}

function stringPool(strings: readonly string[], utf8: boolean): Buffer {
  const encoded = strings.map((text) => (utf8 ? utf8String(text) : utf16String(text)));
  const offsets = Buffer.alloc(4 * strings.length);
  let at = 0;
  for (const [index, bytes] of encoded.entries()) {
    offsets.writeUInt32LE(at, 4 * index);
    at += bytes.length;
  }
  const header = Buffer.alloc(20);
  header.writeUInt32LE(strings.length, 0);
  header.writeUInt32LE(utf8 ? 0x100 : 0, 8);
  header.writeUInt32LE(28 + offsets.length, 12);
  return chunk(0x0001, header, Buffer.concat([offsets, ...encoded, Buffer.alloc(-at & 3)]));
}

function utf8String(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = (value: number) => (value < 0x80 ? [value] : [0x80 | (value >> 8), value & 0xff]);
  return Buffer.concat([Buffer.from([...length(text.length), ...length(bytes.length)]), bytes, Buffer.alloc(1)]);
}

function utf16String(text: string): Buffer {
  const length = Buffer.alloc(text.length < 0x8000 ? 2 : 4);
  if (text.length < 0x8000) length.writeUInt16LE(text.length, 0);
  else {
    length.writeUInt16LE(0x8000 | (text.length >>> 16), 0);
    length.writeUInt16LE(text.length & 0xffff, 2);
  }
  return Buffer.concat([length, Buffer.from(text, "utf16le"), Buffer.alloc(2)]);
}

function xmlNode(type: number, body: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32LE(1, 0);
  header.writeUInt32LE(NONE, 4);
  return chunk(type, header, body);
}

/** A chunk: ResChunk_header, the rest of the header, and the body. */
export function chunk(type: number, header: Uint8Array, body: Uint8Array): Buffer {
  const start = Buffer.alloc(8);
  start.writeUInt16LE(type, 0);
  start.writeUInt16LE(8 + header.length, 2);
  start.writeUInt32LE(8 + header.length + body.length, 4);
  return Buffer.concat([start, header, body]);
}
