import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { Decrypter, Encrypter } from "age-encryption";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decrypt, encrypt, encryptedSizeFor, parseIdentities } from "./age";
import { newKeys } from "./testing/deployment";

const CHUNK = 64 * 1024;
const sizes = fc.oneof(
  fc.integer({ min: 0, max: 3 * CHUNK }),
  fc.constantFrom(0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK),
);
/** The same bytes, split at random. */
const split = (bytes: Buffer, step: number) =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / step) }, (_, at) => bytes.subarray(at * step, (at + 1) * step)),
  );

describe("the age format", () => {
  it("is what the age package reads and writes, for every size and any split of the stream", async () => {
    const keys = await newKeys();
    const size = await encryptedSizeFor([keys.recipient]);
    const theirs = { encrypter: new Encrypter(), decrypter: new Decrypter() };
    theirs.encrypter.addRecipient(keys.recipient);
    theirs.decrypter.addIdentity(keys.identity);
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 1_000, max: 2 * CHUNK }), async (length, step) => {
        const content = randomBytes(length);
        const file = await buffer(encrypt(split(content, step), [keys.recipient]));
        expect(file.length).toBe(size(length));
        expect(Buffer.from(await theirs.decrypter.decrypt(file)).equals(content)).toBe(true);
        const other = Buffer.from(await theirs.encrypter.encrypt(content));
        expect((await buffer(decrypt(split(other, step), [keys.identity], "x"))).equals(content)).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  it("opens with the identity of each recipient and with no other", async () => {
    const [one, two, other] = [await newKeys(), await newKeys(), await newKeys()];
    const file = await buffer(encrypt(split(Buffer.from("text"), 2), [one.recipient, two.recipient]));
    for (const { identity } of [one, two]) {
      expect((await buffer(decrypt(split(file, 9), [other.identity, identity], "x"))).toString()).toBe("text");
    }
    await expect(buffer(decrypt(split(file, 9), [other.identity], "x"))).rejects.toMatchObject({
      problem: "wrong_key",
    });
  });

  it("refuses a file that is cut short or changed anywhere, also between two chunks", async () => {
    const keys = await newKeys();
    const file = await buffer(encrypt(split(randomBytes(2 * CHUNK), CHUNK), [keys.recipient]));
    const refused = (bytes: Buffer) =>
      buffer(decrypt(split(bytes, CHUNK), [keys.identity], "x")).then(
        () => "accepted",
        (error) => error.problem,
      );
    const header = file.length - 16 - 2 * (CHUNK + 16);
    for (const length of [0, header - 1, header, header + 16, header + 16 + CHUNK + 16, file.length - 1]) {
      expect(await refused(file.subarray(0, length))).toBe("damaged");
    }
    expect(await refused(Buffer.concat([file, Buffer.alloc(1)]))).toBe("damaged");
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: file.length - 1 }), async (at) => {
        const changed = Buffer.from(file);
        changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
        expect(["damaged", "wrong_key"]).toContain(await refused(changed));
      }),
      { numRuns: 40 },
    );
  });
});

describe("a key file", () => {
  it("is read as age-keygen writes it", async () => {
    const { identity } = await newKeys();
    expect(parseIdentities(`# created: 2026\n# public key: age1x\n${identity}\n`, "key.txt")).toEqual([identity]);
    expect(() => parseIdentities("age1x\n", "key.txt")).toThrow("key.txt has no identity");
  });
});
