import { startsWithAscii, viewOf } from "../encoding/bytes";
import { InflateError, inflate } from "../encoding/inflate";
import { readIcon } from "../image/icon";
import { bgraToRgba, encodePng } from "../image/png";
import { MAX_CATALOG_KEYS, MAX_ICON_PIXELS } from "../limits";
import type { InstallerIcon } from "../types";

/** Attributes of the key of a rendition. */
const ATTRIBUTE_PART = 2;
const ATTRIBUTE_IDENTIFIER = 17;
const PART_ICON = 220;
const LAYOUT_ONE_IMAGE = 12;

const RENDITION_HEADER = 184;
/** The images that are decoded to find one that can be read. */
const MAX_DECODED = 8;
/** The length of the name of an asset, in bytes. */
const MAX_NAME_BYTES = 1024;

/** Compression of the pixels of a rendition; the others (LZFSE, palettes, …) are not publicly specified. */
const UNCOMPRESSED = 0;
const GZIP = 2;

/** A damaged catalog. */
class CatalogError extends Error {}

interface Rendition {
  width: number;
  height: number;
  pixelFormat: string;
  /** The data after the header and properties. */
  payload: Uint8Array;
}

/**
 * Finds the app icon in a compiled asset catalog (Assets.car): a BOM store whose tree `RENDITIONS` holds the images and
 * whose tree `FACETKEYS` names them. Returns the largest one that is uncompressed, gzip-compressed or a JPEG.
 * @param iconName the name of the asset (CFBundleIconName); null for the first app icon
 * @returns null when all are in formats that only Apple's tools read, or when the catalog is damaged
 */
export async function readCatalogIcon(
  bytes: Uint8Array,
  iconName: string | null,
  signal?: AbortSignal,
): Promise<InstallerIcon | null> {
  try {
    const store = new BomStore(bytes);
    const renditions = iconRenditions(store, iconName).sort((a, b) => b.width * b.height - a.width * a.height);
    for (const rendition of renditions.slice(0, MAX_DECODED)) {
      const icon = await decodeRendition(rendition, signal);
      if (icon) return icon;
    }
    return null;
  } catch (error) {
    if (error instanceof CatalogError || error instanceof InflateError || error instanceof RangeError) return null;
    throw error;
  }
}

/** A store of numbered blocks, some of which have names. */
class BomStore {
  private readonly view: DataView;
  private readonly blockTable: number;
  private readonly blockCount: number;
  private readonly variables = new Map<string, number>();
  private keysRead = 0;

  constructor(private readonly bytes: Uint8Array) {
    if (!startsWithAscii(bytes, "BOMStore")) throw new CatalogError("no BOM store");
    this.view = viewOf(bytes);
    this.blockTable = this.view.getUint32(16) + 4;
    this.blockCount = this.view.getUint32(this.blockTable - 4);
    let at = this.view.getUint32(24);
    const count = this.view.getUint32(at);
    at += 4;
    for (let index = 0; index < count; index++) {
      const length = this.view.getUint8(at + 4);
      const name = String.fromCharCode(...bytes.subarray(at + 5, at + 5 + length));
      this.variables.set(name, this.view.getUint32(at));
      at += 5 + length;
    }
  }

  variable(name: string): Uint8Array {
    return this.block(this.variables.get(name) ?? this.blockCount);
  }

  /** The keys and values of a tree, in order. */
  *tree(name: string): Generator<{ key: Uint8Array; value: Uint8Array }> {
    const tree = this.variable(name);
    if (!startsWithAscii(tree, "tree")) throw new CatalogError("no tree");
    let node = viewOf(this.block(viewOf(tree).getUint32(8)));
    const readNode = (reference: number) => {
      this.countKey();
      return viewOf(this.block(reference));
    };
    while (node.getUint16(0) === 0) node = readNode(node.getUint32(12));
    for (;;) {
      const count = node.getUint16(2);
      for (let index = 0; index < count; index++) {
        const at = 12 + index * 8;
        this.countKey();
        yield { value: this.block(node.getUint32(at)), key: this.block(node.getUint32(at + 4)) };
      }
      const nextLeaf = node.getUint32(4);
      if (nextLeaf === 0) return;
      node = readNode(nextLeaf);
    }
  }

  private countKey(): void {
    if (++this.keysRead > MAX_CATALOG_KEYS) throw new CatalogError("too many keys");
  }

  private block(index: number): Uint8Array {
    if (index >= this.blockCount) throw new CatalogError("no such block");
    const offset = this.view.getUint32(this.blockTable + index * 8);
    const length = this.view.getUint32(this.blockTable + index * 8 + 4);
    if (offset + length > this.bytes.length) throw new CatalogError("block beyond the end");
    return this.bytes.subarray(offset, offset + length);
  }
}

function iconRenditions(store: BomStore, iconName: string | null): Rendition[] {
  const identifier = iconIdentifier(store, iconName);
  if (identifier === null) return [];
  const format = viewOf(store.variable("KEYFORMAT"));
  const attributes = Array.from({ length: format.getUint32(8, true) }, (_, index) =>
    format.getUint32(12 + index * 4, true),
  );
  const partAt = attributes.indexOf(ATTRIBUTE_PART) * 2;
  const identifierAt = attributes.indexOf(ATTRIBUTE_IDENTIFIER) * 2;
  if (partAt < 0 || identifierAt < 0) return [];
  const renditions: Rendition[] = [];
  for (const { key, value } of store.tree("RENDITIONS")) {
    const keyView = viewOf(key);
    if (keyView.getUint16(partAt, true) !== PART_ICON || keyView.getUint16(identifierAt, true) !== identifier) continue;
    const rendition = parseRendition(value);
    if (rendition) renditions.push(rendition);
  }
  return renditions;
}

function iconIdentifier(store: BomStore, iconName: string | null): number | null {
  for (const { key, value } of store.tree("FACETKEYS")) {
    if (key.length > MAX_NAME_BYTES) continue;
    const name = new TextDecoder().decode(key);
    if (iconName !== null && name !== iconName) continue;
    const view = viewOf(value);
    const attributes = new Map<number, number>();
    const count = view.getUint16(4, true);
    for (let at = 6; at < 6 + count * 4; at += 4)
      attributes.set(view.getUint16(at, true), view.getUint16(at + 2, true));
    if (attributes.get(ATTRIBUTE_PART) === PART_ICON) return attributes.get(ATTRIBUTE_IDENTIFIER) ?? null;
  }
  return null;
}

function parseRendition(bytes: Uint8Array): Rendition | null {
  if (!startsWithAscii(bytes, "ISTC")) throw new CatalogError("no rendition");
  const view = viewOf(bytes);
  if (view.getUint16(36, true) !== LAYOUT_ONE_IMAGE) return null;
  const width = view.getUint32(12, true);
  const height = view.getUint32(16, true);
  if (Math.min(width, height) === 0 || Math.max(width, height) > MAX_ICON_PIXELS) return null;
  return {
    width,
    height,
    pixelFormat: String.fromCharCode(...bytes.subarray(24, 28).toReversed()),
    payload: bytes.subarray(RENDITION_HEADER + view.getUint32(168, true)),
  };
}

async function decodeRendition(rendition: Rendition, signal?: AbortSignal): Promise<InstallerIcon | null> {
  const { width, height, pixelFormat, payload } = rendition;
  const view = viewOf(payload);
  if (startsWithAscii(payload, "DWAR")) {
    const image = payload.subarray(12, 12 + view.getUint32(8, true));
    return readIcon(image, signal);
  }
  if (pixelFormat !== "ARGB" || !startsWithAscii(payload, "MLEC")) return null;
  const compression = view.getUint32(8, true);
  const data = payload.subarray(16, 16 + view.getUint32(12, true));
  const pixels = await decompressPixels(data, compression, width * height * 8, signal);
  if (!pixels) return null;
  const stride = pixels.length / height;
  if (!Number.isInteger(stride) || stride < width * 4) return null;

  const rgba = new Uint8Array(width * height * 4);
  for (let row = 0; row < height; row++) {
    rgba.set(pixels.subarray(row * stride, row * stride + width * 4), row * width * 4);
  }
  bgraToRgba(rgba, 4);
  return { width, height, contentType: "image/png", bytes: await encodePng(width, height, rgba) };
}

async function decompressPixels(
  data: Uint8Array,
  compression: number,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<Uint8Array | null> {
  if (compression === UNCOMPRESSED) return data;
  return compression === GZIP ? inflate(data, "gzip", { maxBytes }, signal) : null;
}
