import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { emailLogin } from "@/lib/features/auth/operations/email-login";
import { getAppConfig } from "@/lib/features/config/operations/get-app-config";
import { MAX_METADATA_ENTRIES } from "@/lib/features/releases/schema";
import { completeUpload } from "@/lib/features/uploads/operations/complete-upload";
import { DEFAULT_JSON_BYTES } from "@/lib/http/body";
import { translatorFor } from "@/lib/kernel/i18n/translator";
import { MAX_ISSUES } from "@/lib/kernel/issues";
import { MAX_JSON_DEPTH, MAX_JSON_KEYS, MAX_JSON_VALUES } from "@/lib/kernel/json";
import { operations } from "@/lib/operations";
import { ANONYMOUS, aUser, send, sendRaw } from "@/lib/testing/console";
import { setUpTestDatabase } from "@/scripts/test-database";
import { type Operation, takesJson } from "./operation";

// Each message that is put into words is a call of a translator.
vi.mock("@/lib/kernel/i18n/translator", async (importOriginal) => {
  const original = await importOriginal<typeof import("@/lib/kernel/i18n/translator")>();
  const translated = vi.fn(original.translatorFor("en"));
  return { ...original, translatorFor: () => translated };
});
const translated = translatorFor("en") as unknown as ReturnType<typeof vi.fn<(key: string) => string>>;

setUpTestDatabase();

/** An object of unknown fields, about `bytes` bytes long. */
function unknownFields(bytes: number): string {
  const fields: string[] = [];
  for (let length = 1; length < bytes; length += (fields.at(-1)?.length ?? 0) + 1) fields.push(`"k${fields.length}":0`);
  return `{${fields.join(",")}}`;
}

const MIB = 1024 * 1024;

/** A body that says no length, and how many of its bytes were taken. */
function streamed(text: string, chunkBytes = 4_096) {
  const bytes = new TextEncoder().encode(text);
  let taken = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (taken >= bytes.length) return controller.close();
        controller.enqueue(bytes.slice(taken, taken + chunkBytes));
        taken += chunkBytes;
      },
    },
    { highWaterMark: 0 },
  );
  return { body, taken: () => taken };
}

describe("a body larger than its operation needs", () => {
  it("is refused by the length that it says, without a byte of it being read", async () => {
    const { body, taken } = streamed(unknownFields(2 * MIB));
    const headers = { "content-type": "application/json", "content-length": String(2 * MIB) };
    let takenAtRefusal: number | undefined;
    translated.mockImplementationOnce((key) => {
      takenAtRefusal = taken();
      return key;
    });
    const answer = await sendRaw(emailLogin, ANONYMOUS, {}, { headers, body });
    expect(answer.status).toBe(413);
    expect(takenAtRefusal).toBe(0);
    await answer.body?.cancel();
  });

  it("is refused where it says none, once the limit is read", async () => {
    const { body, taken } = streamed(unknownFields(2 * MIB));
    let takenAtRefusal = 0;
    translated.mockImplementationOnce((key) => {
      takenAtRefusal = taken();
      return key;
    });
    const answer = await sendRaw(emailLogin, ANONYMOUS, {}, { headers: { "content-type": "application/json" }, body });
    expect(answer.status).toBe(413);
    expect(takenAtRefusal).toBeGreaterThanOrEqual(DEFAULT_JSON_BYTES);
    expect(takenAtRefusal).toBeLessThanOrEqual(DEFAULT_JSON_BYTES + 4_096);
    await answer.body?.cancel();
  });
});

describe("an input with more wrong in it than is worth telling", () => {
  it("of fields is refused before it is validated, in one short answer", async () => {
    const validate = vi.spyOn(emailLogin.input, "safeParse");
    translated.mockClear();
    const answer = await sendRaw(emailLogin, ANONYMOUS, unknownFields(DEFAULT_JSON_BYTES - 100));
    const text = await answer.text();
    expect(answer.status).toBe(422);
    expect(JSON.parse(text).errors).toEqual([
      { path: "", code: "tooManyFields", message: `More than ${MAX_JSON_KEYS} fields were sent.` },
    ]);
    expect(validate).not.toHaveBeenCalled();
    expect(translated.mock.calls.length).toBeLessThan(5);
    expect(text.length).toBeLessThan(1_000);
    validate.mockRestore();
  });

  it("is told up to 50 wrong fields, and no more of them are put into words", async () => {
    const admin = await aUser({ admin: true });
    const parts = Array.from({ length: 10_000 }, () => ({ number: "x", etag: 1 }));
    const bodies = [
      [completeUpload, admin, JSON.stringify({ parts })],
      [completeUpload, admin, JSON.stringify({ parts: parts.map(() => ({ number: 1, etag: "\0" })) })],
      [emailLogin, ANONYMOUS, JSON.stringify(Object.fromEntries(Array.from({ length: 99 }, (_, n) => [`k${n}`, 0])))],
    ] as const;
    for (const [operation, caller, body] of bodies) {
      translated.mockClear();
      const answer = await sendRaw(operation, caller, body);
      const text = await answer.text();
      expect(answer.status).toBe(422);
      expect(JSON.parse(text).errors).toHaveLength(MAX_ISSUES);
      expect(translated.mock.calls.filter(([key]) => key.startsWith("validation."))).toHaveLength(MAX_ISSUES);
      expect(text.length).toBeLessThan(10_000);
    }
  });

  it("is told up to 50 unknown parameters of an address", async () => {
    const parameters = Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`k${n}`, ""]));
    const answer = await send(getAppConfig, ANONYMOUS, parameters);
    expect([answer.status, answer.body.errors.length]).toEqual([422, MAX_ISSUES]);
  });

  it("has its fields' names cut where they are longer than names are", async () => {
    const name = "é".repeat(20_000);
    const { body } = await send(emailLogin, ANONYMOUS, { [name]: 0, [`${"x".repeat(199)}😀`]: 0 });
    const paths = body.errors.map(({ path }: { path: string }) => path);
    expect(paths).toContain("é".repeat(200));
    expect(paths).toContain(`${"x".repeat(199)}\ufffd`);
  });
});

/** What the input that a JSON Schema describes may need at most. */
interface Need {
  bytes: number;
  keys: number;
  values: number;
  depth: number;
}

interface Schema {
  type?: string;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  maxLength?: number;
  pattern?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | false;
  propertyNames?: Schema;
  items?: Schema;
  maxItems?: number;
}

/** Bytes of a character that is written as `\uXXXX`, as many clients write all that is not ASCII. */
const ESCAPED_BYTES = 6;
/** Lists longer than this hold numbers, ids and ETags, which are ASCII. */
const MAX_TEXTS = 1_000;

function largest(needs: Need[]): Need {
  const most = (of: (need: Need) => number) => Math.max(0, ...needs.map(of));
  return {
    bytes: most(({ bytes }) => bytes),
    keys: most(({ keys }) => keys),
    values: most(({ values }) => values),
    depth: most(({ depth }) => depth),
  };
}

/** The need of an object or list with these members. */
function holding(members: Need[], keys = 0): Need {
  const sum = (of: (need: Need) => number) => members.reduce((total, need) => total + of(need), 0);
  const { keys: innerKeys, depth } = largest(members);
  return {
    bytes: 2 + sum(({ bytes }) => bytes + 2),
    keys: Math.max(keys, innerKeys),
    values: 1 + sum(({ values }) => values),
    depth: depth + 1,
  };
}

const leaf = (bytes: number): Need => ({ bytes, keys: 0, values: 1, depth: 0 });

function need(schema: Schema, characterBytes = ESCAPED_BYTES): Need {
  if (schema.anyOf) return largest(schema.anyOf.map((one) => need(one, characterBytes)));
  const allowed = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (allowed) return leaf(Math.max(...allowed.map((value) => JSON.stringify(value).length)));
  if (schema.type === "string") {
    if (schema.format === "uuid") return leaf(38);
    // What a pattern allows is ASCII, and the patterns without a length are those of dates and hashes.
    const length = schema.maxLength ?? (schema.pattern ? 64 : Number.NaN);
    return leaf(2 + length * (schema.pattern ? 1 : characterBytes));
  }
  if (schema.type === "array") {
    const item = schema.items as Schema;
    const items = schema.maxItems ?? item.enum?.length ?? Number.NaN;
    return holding(new Array(items).fill(need(item, items > MAX_TEXTS ? 1 : characterBytes)));
  }
  if (schema.type === "object") {
    const named = Object.entries(schema.properties ?? {}).map(([name, value]) => {
      const { bytes, ...rest } = need(value, characterBytes);
      return { ...rest, bytes: bytes + name.length + 3 };
    });
    if (!schema.additionalProperties) return holding(named, named.length);
    const name = need(schema.propertyNames as Schema);
    const { bytes, ...rest } = need(schema.additionalProperties);
    const entries = new Array(MAX_METADATA_ENTRIES).fill({ ...rest, bytes: bytes + name.bytes + 1 });
    return holding([...named, ...entries], named.length + entries.length);
  }
  return leaf(25);
}

const commands = Object.entries(operations as Record<string, Operation>).flatMap(([name, operation]) =>
  takesJson(operation) ? [[name, operation] as const] : [],
);

describe("the limits of a command's body", () => {
  it.each(commands)("let the largest input in that %s may have, and hardly more", (_name, operation) => {
    const schema = z.toJSONSchema(operation.input, { io: "input", unrepresentable: "any" }) as Schema;
    const { bytes, keys, values, depth } = need(schema);
    const limit = (operation.kind === "command" && operation.maxJsonBytes) || DEFAULT_JSON_BYTES;
    expect(bytes).toBeLessThanOrEqual(limit);
    expect(limit).toBeLessThanOrEqual(Math.max(DEFAULT_JSON_BYTES, 2 * bytes));
    expect(keys).toBeLessThanOrEqual(MAX_JSON_KEYS);
    expect(values).toBeLessThanOrEqual(MAX_JSON_VALUES);
    expect(depth).toBeLessThanOrEqual(MAX_JSON_DEPTH);
  });
});
