import { ANDROID_NAMESPACE } from "../src/android/resources/xml";
import { referenceId, resourceIds, type SourceElement, type SourceResource, type SourceValue } from "./android-sources";

/** The value of a field: text, bytes or a nested message, or a whole number. */
export type FieldValue = string | Uint8Array | number;

/** Encodes a protobuf message. */
export function message(fields: readonly (readonly [number: number, value: FieldValue | undefined])[]): Buffer {
  return Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (value === undefined) return [];
      if (typeof value === "number") return [varint(number * 8), varint(value)];
      const bytes = typeof value === "string" ? Buffer.from(value) : value;
      return [varint(number * 8 + 2), varint(bytes.length), bytes];
    }),
  );
}

function varint(value: number): Buffer {
  // Negative numbers are encoded in 64 bits.
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes: number[] = [];
  do {
    bytes.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0));
    rest >>= 7n;
  } while (rest > 0n);
  return Buffer.from(bytes);
}

/** Compiles XML into aapt.pb.XmlNode. */
export function compileProtobufXml(root: SourceElement, ids: ReadonlyMap<string, number>): Uint8Array {
  const node = (source: SourceElement, isRoot: boolean): Buffer =>
    message([
      [
        1,
        message([
          ...(isRoot
            ? [
                [
                  1,
                  message([
                    [1, "android"],
                    [2, ANDROID_NAMESPACE],
                  ]),
                ] as const,
              ]
            : []),
          [3, source.name],
          ...source.attributes.map(({ name, id, value }) => {
            const fields: (readonly [number, FieldValue | undefined])[] = [
              [1, id === undefined ? undefined : ANDROID_NAMESPACE],
              [2, name],
              [3, valueText(value)],
              [5, id],
              [6, "string" in value ? undefined : item(value, ids)],
            ];
            return [4, message(fields)] as const;
          }),
          ...source.children.map((child) => [5, node(child, false)] as const),
        ]),
      ],
    ]);
  return node(root, true);
}

/** Compiles a resource table into aapt.pb.ResourceTable. */
export function compileProtobufResources(packageName: string, resources: readonly SourceResource[]): Uint8Array {
  const ids = resourceIds(resources);
  const types = [...new Set(resources.map((resource) => resource.type))];
  return message([
    [
      2,
      message([
        [1, message([[1, 0x7f]])],
        [2, packageName],
        ...types.map(
          (type, index) =>
            [
              3,
              message([
                [1, message([[1, index + 1]])],
                [2, type],
                ...resources
                  .filter((resource) => resource.type === type)
                  .map((resource, entry) => [3, entryMessage(resource, entry, ids)] as const),
              ]),
            ] as const,
        ),
      ]),
    ],
  ]);
}

function entryMessage(resource: SourceResource, entry: number, ids: ReadonlyMap<string, number>): Buffer {
  return message([
    [1, message([[1, entry]])],
    [2, resource.name],
    ...resource.values.map(
      ({ config = {}, value }) =>
        [
          6,
          message([
            [
              1,
              message([
                [3, config.locale],
                [17, config.night ? 1 : undefined],
                [18, config.density],
                [24, config.sdkVersion],
              ]),
            ],
            [2, message([[4, item(value, ids)]])],
          ]),
        ] as const,
    ),
  ]);
}

/** An aapt.pb.Item. */
function item(value: SourceValue, ids: ReadonlyMap<string, number>): Buffer {
  if ("string" in value) {
    const isFile = value.string.startsWith("res/");
    return message([[isFile ? 5 : 2, message([[1, value.string]])]]);
  }
  if ("reference" in value) {
    const name = typeof value.reference === "string" ? value.reference : undefined;
    return message([
      [
        1,
        message([
          [2, referenceId(ids, value.reference)],
          [3, name],
        ]),
      ],
    ]);
  }
  if ("integer" in value) return message([[7, message([[6, value.integer]])]]);
  if ("boolean" in value) return message([[7, message([[8, value.boolean ? 1 : 0]])]]);
  if ("color" in value) return message([[7, message([[9, value.color]])]]);
  if ("dimension" in value) return message([[7, message([[13, (value.dimension << 8) | 0x01]])]]);
  const float = Buffer.alloc(5);
  float.writeUInt8(3 * 8 + 5, 0);
  float.writeFloatLE(value.float, 1);
  return message([[7, float]]);
}

function valueText(value: SourceValue): string {
  if ("reference" in value) return `@${value.reference}`;
  return String(Object.values(value)[0]);
}
