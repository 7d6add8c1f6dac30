import {
  makeBinaryPlist,
  makeXmlPlist,
  makeZip,
  type PlistInput,
  type ZipFile,
  type ZipOptions,
} from "@slipway/installers/testing";
import type { Random } from "@/lib/testing/random";
import type { Base } from "./corpus";

/** A mutated installer, and what was done to it. */
export interface Mutant {
  what: string;
  bytes: Uint8Array;
}

/** The most mutations of one file. */
const MAX_MUTATIONS = 6;
/** The longest run of bytes that is inserted, repeated or removed. */
const MAX_RUN = 4_096;
const MAX_NESTING = 20_000;

const pick = <T>(random: Random, items: readonly T[]): T => items[random(items.length)] as T;

/** Integers at the limits of their types, by which sizes, counts and offsets become impossible. */
const LIMITS = [
  0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff,
];

function position(random: Random, bytes: Uint8Array): number {
  // The headers and trailers of formats are at their ends.
  const within = pick(
    random,
    [64, 1024, bytes.length].map((most) => Math.max(1, Math.min(most, bytes.length))),
  );
  const offset = random(within);
  return random(3) === 0 ? Math.max(0, bytes.length - 1 - offset) : offset;
}

function overwritten(
  bytes: Uint8Array,
  at: number,
  write: (view: DataView, at: number) => void,
  size: number,
): Uint8Array {
  if (at + size > bytes.length) return bytes;
  const copy = new Uint8Array(bytes);
  write(new DataView(copy.buffer), at);
  return copy;
}

function without(bytes: Uint8Array, from: number, length: number): Uint8Array {
  return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + length)]);
}

function withInserted(bytes: Uint8Array, at: number, more: Uint8Array): Uint8Array {
  return Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)]);
}

type ByteMutation = (bytes: Uint8Array, random: Random) => Uint8Array;

/** Mutations that know no format. */
const BYTE_MUTATIONS: Record<string, ByteMutation> = {
  "bits flipped": (bytes, random) => {
    const copy = new Uint8Array(bytes);
    for (let flips = 1 + random(8); flips > 0 && copy.length > 0; flips--) {
      const at = position(random, copy);
      copy[at] = (copy[at] as number) ^ (1 << random(8));
    }
    return copy;
  },
  truncated: (bytes, random) => bytes.subarray(0, bytes.length - 1 - position(random, bytes)),
  "start removed": (bytes, random) => bytes.subarray(1 + position(random, bytes)),
  "run removed": (bytes, random) => without(bytes, position(random, bytes), 1 + random(MAX_RUN)),
  "run repeated": (bytes, random) => {
    const at = position(random, bytes);
    return withInserted(bytes, at, bytes.subarray(at, at + 1 + random(MAX_RUN)));
  },
  "run moved": (bytes, random) => {
    const at = position(random, bytes);
    const run = bytes.subarray(at, at + 1 + random(MAX_RUN));
    const rest = without(bytes, at, run.length);
    return withInserted(rest, position(random, rest), run);
  },
  "run filled": (bytes, random) => {
    const at = position(random, bytes);
    return new Uint8Array(bytes).fill(pick(random, [0, 0x20, 0x80, 0xff]), at, at + 1 + random(64));
  },
  "noise inserted": (bytes, random) => {
    const noise = Uint8Array.from({ length: 1 + random(64) }, () => random(256));
    return withInserted(bytes, position(random, bytes), noise);
  },
  "8-bit limit": (bytes, random) => {
    const value = pick(random, LIMITS) & 0xff;
    return overwritten(bytes, position(random, bytes), (view, at) => view.setUint8(at, value), 1);
  },
  "16-bit limit": (bytes, random) => {
    const [value, little] = [pick(random, LIMITS) & 0xffff, random(2) === 0];
    return overwritten(bytes, position(random, bytes), (view, at) => view.setUint16(at, value, little), 2);
  },
  "32-bit limit": (bytes, random) => {
    const [value, little] = [pick(random, [...LIMITS, bytes.length, bytes.length - 1]), random(2) === 0];
    // Most formats align their fields.
    const at = position(random, bytes) & (random(4) === 0 ? -1 : -4);
    return overwritten(bytes, at, (view, offset) => view.setUint32(offset, value >>> 0, little), 4);
  },
  "32-bit step": (bytes, random) => {
    const step = pick(random, [-4, -1, 1, 4, 256]);
    const at = position(random, bytes) & -4;
    return overwritten(bytes, at, (view, offset) => view.setInt32(offset, view.getInt32(offset, true) + step, true), 4);
  },
  "64-bit limit": (bytes, random) => {
    const value = pick(random, [0n, 1n, 0x7fffffffn, 0xffffffffn, 1n << 53n, (1n << 63n) - 1n, (1n << 64n) - 1n]);
    const little = random(2) === 0;
    return overwritten(bytes, position(random, bytes), (view, at) => view.setBigUint64(at, value, little), 8);
  },
};

/** Mutations of protobuf messages: the lengths and tags of fields are varints. */
const PROTOBUF_MUTATIONS: Record<string, ByteMutation> = {
  "endless varint": (bytes, random) =>
    withInserted(bytes, position(random, bytes), new Uint8Array(1 + random(12)).fill(0x80 | random(0x80))),
  "field of another type": (bytes, random) => {
    const at = position(random, bytes);
    return overwritten(bytes, at, (view) => view.setUint8(at, (view.getUint8(at) & 0xf8) | random(8)), 1);
  },
  "message in messages": (bytes, random) => {
    let nested = bytes.subarray(0, 1 + random(64));
    const field = pick(random, [1, 2, 3, 4]);
    // Each level takes at least two bytes more than the one in it.
    for (let depth = 1 + random(200); depth > 0; depth--) {
      nested = Buffer.concat([Buffer.from([(field << 3) | 2, ...varint(nested.length)]), nested]);
    }
    return withInserted(bytes, pick(random, [0, bytes.length]), nested);
  },
};

function varint(value: number): number[] {
  const low = value % 128;
  return value < 128 ? [low] : [low | 0x80, ...varint(Math.floor(value / 128))];
}

/** Mutations of the text of XML property lists. */
const XML_MUTATIONS: Record<string, ByteMutation> = {
  "tags swapped": (bytes, random) => {
    const tags = ["dict", "array", "string", "integer", "real", "data", "date", "true", "key", "plist"];
    const text = Buffer.from(bytes).toString("latin1");
    return Buffer.from(text.replaceAll(`<${pick(random, tags)}>`, `<${pick(random, tags)}>`), "latin1");
  },
  "entities declared": (bytes, random) => {
    const text = Buffer.from(bytes).toString("latin1");
    const levels = Array.from(
      { length: 2 + random(20) },
      (_, level) => `<!ENTITY e${level + 1} "${`&e${level};`.repeat(2 + random(20))}">`,
    );
    const declared = `<!DOCTYPE plist [<!ENTITY e0 "x">${levels.join("")}]>`;
    const referring = text.replace(/<string>[^<]*/, `<string>&e${levels.length};`);
    return Buffer.from(referring.replace(/<!DOCTYPE[^>]*>/, declared), "latin1");
  },
  "elements nested": (bytes, random) => {
    const tag = pick(random, ["array", "dict", "plist"]);
    const text = Buffer.from(bytes).toString("latin1");
    return Buffer.from(text.replace("<dict>", `<${tag}>`.repeat(1 + random(MAX_NESTING))), "latin1");
  },
};

const INFO_KEYS = [
  "CFBundleIdentifier",
  "CFBundleShortVersionString",
  "CFBundleVersion",
  "CFBundleDisplayName",
  "CFBundleIcons",
  "CFBundleIconFiles",
  "CFBundleExecutable",
  "CFBundlePackageType",
  "MinimumOSVersion",
  "UIDeviceFamily",
  "UIRequiredDeviceCapabilities",
];

function randomValue(random: Random, depth = 0): PlistInput {
  switch (random(depth > 6 ? 6 : 8)) {
    case 0:
      return "x".repeat(random(3) === 0 ? random(100_000) : random(300));
    case 1:
      return pick(random, [0, -1, 0.5, 1, 2 ** 31, 2 ** 53, -(2 ** 53)]);
    case 2:
      return random(2) === 0;
    case 3:
      return new Date(pick(random, [0, -1e14, 8e12, 1.6e12]));
    case 4:
      return new Uint8Array(random(1_000));
    case 5:
      return pick(random, ["", "\u0000", "\ud800", "com.example.app", "../../etc/passwd", "١٢٣", "\u202e", "1.0.0"]);
    case 6:
      return Array.from({ length: random(8) }, () => randomValue(random, depth + 1));
    default:
      return Object.fromEntries(
        Array.from({ length: random(8) }, () => [pick(random, INFO_KEYS), randomValue(random, depth + 1)]),
      );
  }
}

/** A property list with the right keys and any values. */
function randomInfo(random: Random): Uint8Array {
  const value: PlistInput = {
    CFBundleIdentifier: "com.example.app",
    CFBundleExecutable: "Example",
    CFBundlePackageType: "APPL",
    ...Object.fromEntries(Array.from({ length: 1 + random(6) }, () => [pick(random, INFO_KEYS), randomValue(random)])),
  };
  return random(2) === 0 ? makeBinaryPlist(value) : makeXmlPlist(value);
}

function mutateBytes(bytes: Uint8Array, random: Random, more: Record<string, ByteMutation> = {}): Mutant {
  const mutations = Object.entries({ ...BYTE_MUTATIONS, ...more });
  const whats: string[] = [];
  let mutated = bytes;
  for (let count = 1 + random(MAX_MUTATIONS); count > 0 && mutated.length > 0; count--) {
    const [what, mutation] = pick(random, mutations);
    mutated = mutation(mutated, random);
    whats.push(what);
  }
  return { what: whats.join(", "), bytes: mutated };
}

/** Mutates what an entry contains; the archive around it is intact, so that its reader is reached. */
function mutateEntry({ entries }: Base, random: Random): Mutant {
  const index = random(entries.length);
  const entry = entries[index] as ZipFile;
  const name = String(entry.name);
  if (!(entry.data instanceof Uint8Array)) return { what: "as it was", bytes: makeZip(entries) };
  const isXml = entry.data[0] === 0x3c || name.endsWith(".mobileprovision");
  const isProtobuf = name.startsWith("base/") || name.endsWith(".pb");
  const { what, bytes } =
    name.endsWith("Info.plist") && random(3) === 0
      ? { what: "other values", bytes: randomInfo(random) }
      : mutateBytes(entry.data, random, isXml ? XML_MUTATIONS : isProtobuf ? PROTOBUF_MUTATIONS : {});
  return { what: `${name}: ${what}`, bytes: makeZip(entries.with(index, { ...entry, data: bytes })) };
}

const NAMES = [
  "",
  "/",
  "../Info.plist",
  "/etc/passwd",
  "Payload/",
  "Payload/Example.app/",
  "Payload/Example.app/Info.plist",
  "Payload/Other.app/Info.plist",
  "AndroidManifest.xml",
  "BundleConfig.pb",
  "META-INF/MANIFEST.MF",
  "a\u0000b",
  "C:\\a",
  "x".repeat(60_000),
];

/** Gives the archive fields that are not true. */
function lie({ entries }: Base, random: Random): Mutant {
  const number = () => pick(random, [...LIMITS, random(100_000)]);
  const lies: ((files: ZipFile[], options: ZipOptions) => string)[] = [
    (files) => changed(files, { lies: { crc32: number() } }, "CRC-32"),
    (files) => changed(files, { lies: { compressedSize: number() } }, "compressed size"),
    (files) => changed(files, { lies: { uncompressedSize: number() } }, "size"),
    (files) => changed(files, { lies: { localHeaderOffset: number() } }, "offset"),
    (files) => changed(files, { lies: { localName: pick(random, NAMES) } }, "local name"),
    (files) => changed(files, { lies: { localMethod: random(100) } }, "local method"),
    (files) => changed(files, { lies: { localCompressedSize: number() } }, "local size"),
    (files) => changed(files, { lies: { localSignature: number() } }, "local signature"),
    (files) => changed(files, { lies: { trailing: new Uint8Array(random(MAX_RUN)) } }, "trailing data"),
    (files) => changed(files, { method: random(100) }, "method"),
    (files) => changed(files, { flags: 1 << random(16) }, "flags"),
    (files) => changed(files, { mode: pick(random, [0o120777, 0o040755, 0, 0o177777]) }, "mode"),
    (files) => changed(files, { dataDescriptor: true }, "data descriptor"),
    (files) => changed(files, { zip64: true }, "64-bit fields"),
    (files) => changed(files, { name: pick(random, NAMES) }, "name"),
    (files) => changed(files, { data: { zeros: random(32 * 1024 * 1024) } }, "zeros"),
    (files) => changed(files, { data: new Uint8Array(random(16 * 1024 * 1024)), method: 8 }, "bomb"),
    (files) => `${files.splice(random(files.length), 1).length} entry removed`,
    (files) => `${files.push(pick(random, files))} entries, one twice`,
    (files) => {
      const copies = 1 + random(3_000);
      for (let copy = 0; copy < copies; copy++) files.push({ name: `more/${copy}`, data: new Uint8Array() });
      return `${copies} more entries`;
    },
    (_, options) => {
      const field = pick(random, ["count", "directorySize", "directoryOffset", "disk"] as const);
      const bits = field === "count" || field === "disk" ? 0xffff : 0xffffffff;
      options.lies = { ...options.lies, [field]: (number() & bits) >>> 0 };
      return field;
    },
    (_, options) => {
      options[pick(random, ["prefix", "suffix", "comment", "beforeDirectory"] as const)] = new Uint8Array(
        random(MAX_RUN),
      );
      return "more bytes";
    },
    (_, options) => {
      options.zip64 = true;
      return "64-bit end record";
    },
  ];
  const changed = (files: ZipFile[], change: Partial<ZipFile>, what: string): string => {
    const index = random(files.length);
    const file = files[index] as ZipFile;
    files[index] = { ...file, ...change, lies: { ...file.lies, ...change.lies } };
    return `${String(file.name)}: ${what}`;
  };
  const files = [...entries];
  const options: ZipOptions = {};
  const whats: string[] = [];
  for (let count = 1 + random(3); count > 0 && files.length > 0; count--)
    whats.push(pick(random, lies)(files, options));
  return { what: whats.join(", "), bytes: makeZip(files, options) };
}

/** Begins as one installer and goes on as another. */
function splice(one: Base, other: Base, random: Random): Mutant {
  const head = one.bytes.subarray(0, position(random, one.bytes));
  const tail = other.bytes.subarray(position(random, other.bytes));
  return { what: `spliced with ${other.name}`, bytes: Buffer.concat([head, tail]) };
}

/** Mutates an installer. All choices are those of `random`. */
export function mutate(base: Base, corpus: readonly Base[], random: Random): Mutant {
  const choice = random(10);
  if (choice < 5) return mutateEntry(base, random);
  if (choice < 7) return lie(base, random);
  if (choice < 9) return mutateBytes(base.bytes, random);
  return splice(base, pick(random, corpus), random);
}
