import { gzipSync } from "node:zlib";

/** An image of an app icon in an asset catalog. */
export interface CatalogImage {
  /** Pixels. */
  width: number;
  /** Pixels. */
  height: number;
  /** The encoding of the pixels: plain, gzip, a JPEG or PNG file, or one that only Apple's tools read. */
  encoding: "plain" | "gzip" | "file" | "lzfse";
  /** Rows of premultiplied BGRA, or the file. */
  data: Uint8Array;
  /** Bytes of padding after each row. */
  padding?: number;
}

const ATTRIBUTES = [12, 17, 1, 2]; // scale, identifier, element, part
const PART_ICON = 220;
const IDENTIFIER = 6849;
const COMPRESSION = { plain: 0, gzip: 2, lzfse: 4 };

/** Makes a compiled asset catalog (Assets.car) with an app icon. */
export function makeAssetCatalog(iconName: string, images: readonly CatalogImage[]): Uint8Array {
  const blocks: Buffer[] = [Buffer.alloc(0)];
  const add = (block: Buffer) => blocks.push(block) - 1;
  const tree = (pairs: readonly { key: Buffer; value: Buffer }[]) => {
    const leaf = Buffer.alloc(12 + pairs.length * 8);
    leaf.writeUInt16BE(1, 0);
    leaf.writeUInt16BE(pairs.length, 2);
    for (const [index, { key, value }] of pairs.entries()) {
      leaf.writeUInt32BE(add(value), 12 + index * 8);
      leaf.writeUInt32BE(add(key), 16 + index * 8);
    }
    const head = Buffer.alloc(21);
    head.write("tree", 0, "latin1");
    head.writeUInt32BE(1, 4);
    head.writeUInt32BE(add(leaf), 8);
    return add(head);
  };

  const format = Buffer.alloc(12 + ATTRIBUTES.length * 4);
  format.write("tmfk", 0, "latin1");
  format.writeUInt32LE(ATTRIBUTES.length, 8);
  for (const [index, attribute] of ATTRIBUTES.entries()) format.writeUInt32LE(attribute, 12 + index * 4);

  return store(blocks, {
    KEYFORMAT: add(format),
    FACETKEYS: tree([{ key: Buffer.from(iconName), value: uint16s([0, 0, 3, 1, 85, 2, PART_ICON, 17, IDENTIFIER]) }]),
    RENDITIONS: tree(
      images.map((image, index) => ({
        key: uint16s([index + 1, IDENTIFIER, 85, PART_ICON]),
        value: rendition(image),
      })),
    ),
  });
}

function rendition({ width, height, encoding, data, padding = 0 }: CatalogImage): Buffer {
  const header = Buffer.alloc(184);
  header.write("ISTC", 0, "latin1");
  header.writeUInt32LE(1, 4);
  header.writeUInt32LE(width, 12);
  header.writeUInt32LE(height, 16);
  header.write(encoding === "file" ? "GEPJ" : "BGRA", 24, "latin1");
  header.writeUInt16LE(12, 36);
  const properties = Buffer.alloc(16);
  header.writeUInt32LE(properties.length, 168);
  if (encoding === "file") {
    const raw = Buffer.alloc(12);
    raw.write("DWAR", 0, "latin1");
    raw.writeUInt32LE(data.length, 8);
    return Buffer.concat([header, properties, raw, data]);
  }
  const rows = Array.from({ length: height }, (_, row) => [
    data.subarray(row * width * 4, (row + 1) * width * 4),
    Buffer.alloc(padding),
  ]);
  const pixels = Buffer.concat(rows.flat());
  const compressed = encoding === "gzip" ? gzipSync(pixels) : pixels;
  const element = Buffer.alloc(16);
  element.write("MLEC", 0, "latin1");
  element.writeUInt32LE(COMPRESSION[encoding], 8);
  element.writeUInt32LE(compressed.length, 12);
  return Buffer.concat([header, properties, element, compressed]);
}

/** A BOM store: header, blocks, block table, and the names of some blocks. */
function store(blocks: readonly Buffer[], variables: Readonly<Record<string, number>>): Uint8Array {
  const header = Buffer.alloc(32);
  const table = Buffer.alloc(4 + blocks.length * 8);
  table.writeUInt32BE(blocks.length, 0);
  let offset = header.length;
  for (const [index, block] of blocks.entries()) {
    table.writeUInt32BE(offset, 4 + index * 8);
    table.writeUInt32BE(block.length, 8 + index * 8);
    offset += block.length;
  }
  const names = Object.entries(variables).map(([name, block]) => {
    const entry = Buffer.alloc(5 + name.length);
    entry.writeUInt32BE(block, 0);
    entry[4] = name.length;
    entry.write(name, 5, "latin1");
    return entry;
  });
  const count = Buffer.alloc(4);
  count.writeUInt32BE(names.length, 0);
  header.write("BOMStore", 0, "latin1");
  header.writeUInt32BE(1, 8);
  header.writeUInt32BE(blocks.length, 12);
  header.writeUInt32BE(offset, 16);
  header.writeUInt32BE(table.length, 20);
  header.writeUInt32BE(offset + table.length, 24);
  return Buffer.concat([header, ...blocks, table, count, ...names]);
}

function uint16s(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, index * 2);
  return bytes;
}
