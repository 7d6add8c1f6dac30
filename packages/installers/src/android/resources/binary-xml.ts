import { LittleEndian, OverrunError } from "../../encoding/little-endian";
import { MAX_XML_DEPTH, MAX_XML_NODES } from "../../limits";
import { decodeResValue, StringPool } from "./resource-table";
import type { XmlAttribute, XmlElement } from "./xml";

const STRING_POOL = 0x0001;
const RESOURCE_MAP = 0x0180;
const START_ELEMENT = 0x0102;
const END_ELEMENT = 0x0103;

const CHUNK_HEADER_SIZE = 8;
const NODE_HEADER_SIZE = 16;
const ELEMENT_SIZE = 20;
const ATTRIBUTE_SIZE = 20;
const NO_STRING = 0xffffffff;

/** Bytes that are not Android binary XML. */
export class BinaryXmlError extends Error {
  override readonly name = "BinaryXmlError";
}

/**
 * Parses Android binary XML (ResXMLTree, ResourceTypes.h) exactly as leniently as the platform, because packers rely on
 * it: the type of the file is ignored, unknown chunks are skipped, bytes after the declared end are ignored, and
 * attributes are identified by the resource map.
 * @returns the root element
 * @throws BinaryXmlError when there is no element, a chunk exceeds its parent, or the elements are too many or nested too
 * deeply
 */
export function parseBinaryXml(bytes: Uint8Array): XmlElement {
  try {
    return new BinaryXmlReader(bytes).root();
  } catch (error) {
    if (error instanceof OverrunError) throw new BinaryXmlError(error.message);
    throw error;
  }
}

class BinaryXmlReader {
  readonly #data: LittleEndian;
  #strings: StringPool | null = null;
  #resourceIds: LittleEndian | null = null;
  #nodes = 0;

  constructor(bytes: Uint8Array) {
    const whole = new LittleEndian(bytes);
    const size = whole.u32(4);
    if (whole.u16(2) < CHUNK_HEADER_SIZE || size < CHUNK_HEADER_SIZE) throw new BinaryXmlError("no header");
    this.#data = new LittleEndian(whole.slice(0, size));
  }

  root(): XmlElement {
    const data = this.#data;
    const open: XmlElement[] = [];
    let root: XmlElement | null = null;
    for (let at = data.u16(2); at + CHUNK_HEADER_SIZE <= data.length; ) {
      const type = data.u16(at);
      const headerSize = data.u16(at + 2);
      const size = data.u32(at + 4);
      if (headerSize < CHUNK_HEADER_SIZE || headerSize > size || (headerSize | size) & 3) {
        throw new BinaryXmlError(`chunk 0x${type.toString(16)} at ${at} has impossible sizes`);
      }
      const chunk = data.slice(at, size);
      // As on the platform, the last pool and map before the first element count.
      if (type === STRING_POOL && !root) this.#strings = new StringPool(chunk);
      else if (type === RESOURCE_MAP && !root) this.#resourceIds = new LittleEndian(chunk.subarray(headerSize));
      else if (type === START_ELEMENT) {
        const element = this.#element(new LittleEndian(chunk), headerSize);
        open.at(-1)?.children.push(element);
        root ??= element;
        open.push(element);
        if (open.length > MAX_XML_DEPTH) throw new BinaryXmlError("elements are nested too deeply");
      } else if (type === END_ELEMENT) {
        if (!open.pop()) throw new BinaryXmlError("an end without a start");
        // The platform ignores what follows the root.
        if (open.length === 0) break;
      }
      at += size;
    }
    if (!root) throw new BinaryXmlError("no element");
    return root;
  }

  #element(chunk: LittleEndian, headerSize: number): XmlElement {
    if (headerSize < NODE_HEADER_SIZE) throw new BinaryXmlError("an element's header is too short");
    const start = headerSize + chunk.u16(headerSize + 8);
    const stride = chunk.u16(headerSize + 10);
    const count = chunk.u16(headerSize + 12);
    if (chunk.length < headerSize + ELEMENT_SIZE || (count > 0 && stride < ATTRIBUTE_SIZE)) {
      throw new BinaryXmlError("an element's attributes are out of place");
    }
    this.#nodes += 1 + count;
    if (this.#nodes > MAX_XML_NODES) throw new BinaryXmlError("too many elements and attributes");
    const attributes: XmlAttribute[] = [];
    for (let index = 0; index < count; index++) attributes.push(this.#attribute(chunk, start + index * stride));
    return { name: this.#string(chunk.u32(headerSize + 4)), attributes, children: [] };
  }

  #attribute(chunk: LittleEndian, at: number): XmlAttribute {
    const name = chunk.u32(at + 4);
    return {
      namespace: this.#string(chunk.u32(at)),
      name: this.#string(name),
      resourceId: this.#resourceId(name),
      value: decodeResValue(chunk.u8(at + 15), chunk.u32(at + 16), (index) => this.#strings?.at(index) ?? null),
    };
  }

  #resourceId(name: number): number {
    const ids = this.#resourceIds;
    return ids && 4 * name + 4 <= ids.length ? ids.u32(4 * name) : 0;
  }

  #string(index: number): string {
    return index === NO_STRING ? "" : (this.#strings?.at(index) ?? "");
  }
}
