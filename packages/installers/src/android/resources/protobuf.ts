/**
 * The compiled resources of an Android App Bundle: aapt2's protobuf messages (frameworks/base/tools/aapt2/Resources.proto
 * and Configuration.proto). The constants hold the field numbers of each message.
 */

import {
  lastBytes,
  lastNumber,
  lastString,
  ProtobufError,
  protobufFields,
  repeatedBytes,
} from "../../encoding/protobuf";
import { MAX_RESOURCE_ENTRIES, MAX_XML_DEPTH, MAX_XML_NODES } from "../../limits";
import {
  complexDimension,
  complexFraction,
  type ResourceCandidate,
  type ResourceConfig,
  type ResourceReference,
  type ResourceTable,
  type ResourceValue,
  SearchBudget,
} from "./resource-table";
import type { XmlAttribute, XmlElement } from "./xml";

const XML_NODE = { element: 1 } as const;
const XML_ELEMENT = { name: 3, attribute: 4, child: 5 } as const;
const XML_ATTRIBUTE = { namespaceUri: 1, name: 2, value: 3, resourceId: 5, compiledItem: 6 } as const;
const ITEM = { ref: 1, str: 2, rawStr: 3, styledStr: 4, file: 5, prim: 7 } as const;
const REFERENCE = { type: 1, id: 2, name: 3 } as const;
const PRIMITIVE = {
  float: 3,
  intDecimal: 6,
  intHexadecimal: 7,
  boolean: 8,
  colorArgb8: 9,
  colorRgb8: 10,
  colorArgb4: 11,
  colorRgb4: 12,
  dimension: 13,
  fraction: 14,
} as const;
const RESOURCE_TABLE = { package: 2 } as const;
const PACKAGE = { id: 1, type: 3 } as const;
const TYPE = { id: 1, name: 2, entry: 3 } as const;
const ENTRY = { id: 1, name: 2, configValue: 6 } as const;
const CONFIG_VALUE = { config: 1, value: 2 } as const;
const VALUE = { item: 4 } as const;
const CONFIGURATION = {
  mcc: 1,
  mnc: 2,
  locale: 3,
  layoutDirection: 4,
  smallestScreenWidthDp: 9,
  screenLayoutSize: 10,
  orientation: 15,
  uiModeType: 16,
  uiModeNight: 17,
  density: 18,
  sdkVersion: 24,
} as const;

/**
 * Parses an XML file of a bundle (aapt.pb.XmlNode).
 * @returns the root element
 * @throws ProtobufError when the message is malformed, or its elements are too many or nested too deeply
 */
export function parseProtobufXml(bytes: Uint8Array): XmlElement {
  let nodes = 0;
  const element = (message: Uint8Array, depth: number): XmlElement => {
    if (depth > MAX_XML_DEPTH) throw new ProtobufError("elements are nested too deeply");
    const result: XmlElement = { name: "", attributes: [], children: [] };
    for (const field of protobufFields(message)) {
      if (field.number === XML_ELEMENT.name) result.name = new TextDecoder().decode(field.bytes);
      else if (field.number === XML_ELEMENT.attribute) result.attributes.push(xmlAttribute(field.bytes));
      else if (field.number === XML_ELEMENT.child) {
        const child = lastBytes(field.bytes, XML_NODE.element);
        if (child) result.children.push(element(child, depth + 1));
      } else continue;
      if (++nodes > MAX_XML_NODES) throw new ProtobufError("too many elements and attributes");
    }
    return result;
  };
  const root = lastBytes(bytes, XML_NODE.element);
  if (!root) throw new ProtobufError("no element");
  return element(root, 1);
}

function xmlAttribute(message: Uint8Array): XmlAttribute {
  const compiled = lastBytes(message, XML_ATTRIBUTE.compiledItem);
  const text: ResourceValue = { type: "string", value: lastString(message, XML_ATTRIBUTE.value) };
  return {
    namespace: lastString(message, XML_ATTRIBUTE.namespaceUri),
    name: lastString(message, XML_ATTRIBUTE.name),
    resourceId: lastNumber(message, XML_ATTRIBUTE.resourceId),
    value: (compiled && itemValue(compiled)) ?? text,
  };
}

/** The value of an aapt.pb.Item; null for an item without a value (an id, an empty item). */
function itemValue(message: Uint8Array): ResourceValue | null {
  let value: ResourceValue | null = null;
  for (const field of protobufFields(message)) {
    switch (field.number) {
      case ITEM.ref:
        value = referenceValue(field.bytes);
        break;
      case ITEM.str:
      case ITEM.rawStr:
      case ITEM.styledStr:
      case ITEM.file:
        // Field 1 of each of these messages is the text or the path.
        value = { type: "string", value: lastString(field.bytes, 1) };
        break;
      case ITEM.prim:
        value = primitiveValue(field.bytes);
        break;
    }
  }
  return value;
}

function referenceValue(message: Uint8Array): ResourceValue {
  const id = lastNumber(message, REFERENCE.id);
  const name = lastString(message, REFERENCE.name);
  if (lastNumber(message, REFERENCE.type) === 1) return { type: "attribute", id };
  return id === 0 && name === "" ? { type: "null" } : { type: "reference", id, name };
}

const FLOAT_BITS = new DataView(new ArrayBuffer(4));

function primitiveValue(message: Uint8Array): ResourceValue {
  let value: ResourceValue = { type: "null" };
  for (const { number, bits } of protobufFields(message)) {
    switch (number) {
      case PRIMITIVE.float:
        FLOAT_BITS.setUint32(0, bits);
        value = { type: "float", value: FLOAT_BITS.getFloat32(0) };
        break;
      case PRIMITIVE.intDecimal:
      case PRIMITIVE.intHexadecimal:
        value = { type: "integer", value: bits | 0 };
        break;
      case PRIMITIVE.boolean:
        value = { type: "boolean", value: bits !== 0 };
        break;
      case PRIMITIVE.colorArgb8:
      case PRIMITIVE.colorRgb8:
      case PRIMITIVE.colorArgb4:
      case PRIMITIVE.colorRgb4:
        value = { type: "color", argb: bits };
        break;
      case PRIMITIVE.dimension:
        value = { type: "dimension", value: complexDimension(bits) };
        break;
      case PRIMITIVE.fraction:
        value = { type: "fraction", value: complexFraction(bits) };
        break;
    }
  }
  return value;
}

/** Resource types of a module; a package has at most 255. */
const MAX_TYPES = 4096;

/**
 * Opens the resources.pb of a module (aapt.pb.ResourceTable). Entries are decoded on demand.
 * @throws ProtobufError when the message is malformed
 */
export function parseProtobufResources(bytes: Uint8Array): ResourceTable {
  return new ProtobufResourceTable(bytes);
}

class ProtobufResourceTable implements ResourceTable {
  readonly #types: ResourceType[] = [];
  readonly #budget = new SearchBudget();
  #entryCount = 0;

  constructor(bytes: Uint8Array) {
    const countEntry = () => {
      if (++this.#entryCount > MAX_RESOURCE_ENTRIES) throw new ProtobufError("too many entries");
    };
    for (const message of repeatedBytes(bytes, RESOURCE_TABLE.package)) {
      const packageId = idOf(message, PACKAGE.id);
      for (const type of repeatedBytes(message, PACKAGE.type)) {
        if (this.#types.length >= MAX_TYPES) throw new ProtobufError("too many types");
        this.#types.push(new ResourceType(packageId, type, countEntry));
      }
    }
  }

  candidates(reference: ResourceReference): ResourceCandidate[] {
    const found: ResourceCandidate[] = [];
    try {
      for (const type of this.#types) {
        if (!type.matches(reference)) continue;
        for (const entry of type.entries(reference)) {
          if (!this.#budget.spend(entry.length)) return found;
          for (const candidate of entryCandidates(entry)) found.push(candidate);
        }
      }
      return found;
    } catch (error) {
      // Nothing can be found in a damaged type.
      if (error instanceof ProtobufError) return [];
      throw error;
    }
  }
}

/** A resource type of a package. Its entries are indexed when it is first searched. */
class ResourceType {
  readonly #packageId: number;
  readonly #id: number;
  readonly #name: string;
  readonly #message: Uint8Array;
  readonly #countEntry: () => void;
  #byId: Map<number, Uint8Array[]> | null = null;
  #byName: Map<string, Uint8Array[]> | null = null;

  /** @param countEntry is called for each indexed entry */
  constructor(packageId: number, message: Uint8Array, countEntry: () => void) {
    this.#packageId = packageId;
    this.#id = idOf(message, TYPE.id);
    this.#name = lastString(message, TYPE.name);
    this.#message = message;
    this.#countEntry = countEntry;
  }

  matches({ id, name = "" }: ResourceReference): boolean {
    if (id >>> 24 !== 0 && this.#packageId !== 0 && this.#packageId !== id >>> 24) return false;
    return id ? this.#id === ((id >>> 16) & 0xff) : this.#name === splitName(name)[0];
  }

  entries({ id, name = "" }: ResourceReference): Uint8Array[] {
    if (id) {
      this.#byId ??= this.#index((entry) => idOf(entry, ENTRY.id));
      return this.#byId.get(id & 0xffff) ?? [];
    }
    this.#byName ??= this.#index((entry) => lastString(entry, ENTRY.name));
    return this.#byName.get(splitName(name)[1]) ?? [];
  }

  #index<Key>(keyOf: (entry: Uint8Array) => Key): Map<Key, Uint8Array[]> {
    const index = new Map<Key, Uint8Array[]>();
    for (const entry of repeatedBytes(this.#message, TYPE.entry)) {
      this.#countEntry();
      const key = keyOf(entry);
      const entries = index.get(key);
      if (entries) entries.push(entry);
      else index.set(key, [entry]);
    }
    return index;
  }
}

function* entryCandidates(entry: Uint8Array): Generator<ResourceCandidate> {
  for (const configValue of repeatedBytes(entry, ENTRY.configValue)) {
    const outer = lastBytes(configValue, CONFIG_VALUE.value);
    const item = outer && lastBytes(outer, VALUE.item);
    const value = item && itemValue(item);
    if (value) yield { config: configuration(lastBytes(configValue, CONFIG_VALUE.config)), value };
  }
}

/** The number in a PackageId, TypeId or EntryId message. */
function idOf(message: Uint8Array, field: number): number {
  const id = lastBytes(message, field);
  return id ? lastNumber(id, 1) : 0;
}

/** The type and the entry of a name such as "com.example:string/app_name". */
function splitName(name: string): [type: string, entry: string] {
  const local = name.slice(name.indexOf(":") + 1);
  const slash = local.indexOf("/");
  return [local.slice(0, slash), local.slice(slash + 1)];
}

function configuration(message: Uint8Array | null): ResourceConfig {
  const config: ResourceConfig = { locale: "", density: 0, sdkVersion: 0, special: false };
  for (const { number, bits, bytes } of message ? protobufFields(message) : []) {
    switch (number) {
      case CONFIGURATION.locale:
        config.locale = new TextDecoder().decode(bytes);
        break;
      case CONFIGURATION.density:
        config.density = bits;
        break;
      case CONFIGURATION.sdkVersion:
        config.sdkVersion = bits;
        break;
      case CONFIGURATION.mcc:
      case CONFIGURATION.mnc:
        config.special ||= bits !== 0;
        break;
      // Enumerations, where 0 is unset and 1 is left-to-right, portrait, and a normal device.
      case CONFIGURATION.layoutDirection:
      case CONFIGURATION.orientation:
      case CONFIGURATION.uiModeType:
        config.special ||= bits > 1;
        break;
      // 1 is small, 2 is normal.
      case CONFIGURATION.screenLayoutSize:
        config.special ||= bits > 2;
        break;
      // 1 is night, 2 is not.
      case CONFIGURATION.uiModeNight:
        config.special ||= bits === 1;
        break;
      case CONFIGURATION.smallestScreenWidthDp:
        config.special ||= bits > 360;
        break;
    }
  }
  return config;
}
