import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formBoundary, formParts, MalformedFormError } from "./multipart";

/** The bytes in chunks of the given sizes, over and over. */
async function* inChunks(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] as number;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

interface ReadPart {
  name: string;
  fileName: string | null;
  contentType: string | null;
  content: Buffer;
}

async function readAll(bytes: Uint8Array, boundary: string, sizes = [65_536]): Promise<ReadPart[]> {
  const parts: ReadPart[] = [];
  for await (const { body, ...part } of formParts(inChunks(bytes, sizes), boundary)) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(Buffer.from(chunk));
    parts.push({ ...part, content: Buffer.concat(chunks) });
  }
  return parts;
}

/** A form of text lines, `\n` standing for the line break of the standard. */
function form(text: string): Buffer {
  return Buffer.from(text.replaceAll("\n", "\r\n"));
}

describe("the boundary", () => {
  it("is taken from the Content-Type, quoted or not", () => {
    expect(formBoundary("multipart/form-data; boundary=abc")).toBe("abc");
    expect(formBoundary('multipart/form-data; charset=utf-8; Boundary="a b:c"; x=y')).toBe("a b:c");
    expect(formBoundary('multipart/form-data; boundary="a\\"b"')).toBe('a"b');
  });

  it("is refused where there is none or the standard forbids it", () => {
    expect(formBoundary("multipart/form-data")).toBeNull();
    expect(formBoundary('multipart/form-data; boundary=""')).toBeNull();
    expect(formBoundary('multipart/form-data; boundary="a "')).toBeNull();
    expect(formBoundary(`multipart/form-data; boundary=${"a".repeat(71)}`)).toBeNull();
  });
});

describe("a form", () => {
  const exact = fc.record({
    boundary: fc.stringMatching(/^[A-Za-z0-9'()+_,./:=?-]{1,70}$/),
    sizes: fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 8 }),
  });
  // Content that looks like delimiters as often as can be.
  const lookalike = fc
    .array(fc.constantFrom("\r", "\n", "-", "--", "\r\n", "\r\n--", "B", " ", "\t", "x", "\0"), { maxLength: 40 })
    .map((pieces) => pieces.join(""));

  it("is read back as it was written, whatever its bytes and however it is cut into chunks", async () => {
    const part = fc.record({
      name: fc.string({ unit: "grapheme", maxLength: 20 }).filter((name) => !/[\r\n"\\%]/.test(name)),
      content: fc.oneof(
        lookalike,
        fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 6 }), exact, async (parts, { boundary, sizes }) => {
        // A client chooses a boundary that no content holds.
        const contents = parts.map(({ content }) =>
          Buffer.from(content.replaceAll("B", boundary).split(`--${boundary}`).join("\0"), "latin1"),
        );
        const bytes = Buffer.concat([
          ...parts.flatMap(({ name }, index) => [
            Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`),
            contents[index] as Buffer,
            Buffer.from("\r\n"),
          ]),
          Buffer.from(`--${boundary}--\r\n`),
        ]);
        const read = await readAll(bytes, boundary, sizes);
        expect(read.map(({ name }) => name)).toEqual(parts.map(({ name }) => name));
        expect(read.map(({ content }) => content.toString("hex"))).toEqual(contents.map((one) => one.toString("hex")));
      }),
      { numRuns: 500 },
    );
  });

  it("is read as fetch writes it, with every character that a name may have", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "binary", maxLength: 20 }),
        fc.string({ unit: "binary", minLength: 1, maxLength: 20 }),
        fc.uint8Array({ maxLength: 200 }),
        exact,
        async (field, fileName, bytes, { sizes }) => {
          // The escapes of these are not escaped themselves, so that one cannot tell them apart.
          fc.pre(!/%(22|0D|0A)/i.test(field + fileName) && !/[\r\n\\]/.test(field + fileName));
          const data = new FormData();
          data.append(field, new File([bytes as Uint8Array<ArrayBuffer>], fileName, { type: "application/zip" }));
          const request = new Request("http://localhost", { method: "POST", body: data });
          const boundary = formBoundary(request.headers.get("content-type") as string) as string;
          const [part] = await readAll(new Uint8Array(await request.arrayBuffer()), boundary, sizes);
          expect(part).toEqual({
            name: field.toWellFormed(),
            fileName: fileName.toWellFormed(),
            contentType: "application/zip",
            content: Buffer.from(bytes),
          });
        },
      ),
      { numRuns: 300 },
    );
  });

  it("never hangs and fails with one kind of error, whatever comes", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.constantFrom(
            "--B",
            "--B--",
            "\r\n",
            "\r\n\r\n",
            "Content-Disposition: form-data",
            '; name="a"',
            '; filename="b',
            '"',
            ":",
            "\\",
            " ",
            "x",
          ),
          { maxLength: 40 },
        ),
        exact,
        async (pieces, { sizes }) => {
          const outcome = await readAll(Buffer.from(pieces.join("")), "B", sizes).catch((error) => error);
          expect(Array.isArray(outcome) || outcome instanceof MalformedFormError).toBe(true);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("may have a preamble, blanks after a boundary and an epilogue", async () => {
    const bytes = form('to be ignored\n--B \t\nContent-Disposition: form-data; name="a"\n\n1\n--B--\nignored too');
    expect(await readAll(bytes, "B", [1])).toEqual([
      { name: "a", fileName: null, contentType: null, content: Buffer.from("1") },
    ]);
  });

  it("may be empty", async () => {
    expect(await readAll(form("--B--\n"), "B")).toEqual([]);
  });

  it("may hold its boundary as the beginning of a longer word", async () => {
    const bytes = form('--B\nContent-Disposition: form-data; name="a"\n\n--Bye\n--B\n--B--');
    await expect(readAll(bytes, "B", [3])).rejects.toBeInstanceOf(MalformedFormError);
    const [part] = await readAll(form('--B\nContent-Disposition: form-data; name="a"\n\n1\n--Bye\n--B--'), "B", [3]);
    expect(part?.content.toString()).toBe("1\r\n--Bye");
  });

  it("gives a part's bytes in no more pieces than they arrive in, however many beginnings of a boundary they hold", async () => {
    const content = Buffer.alloc(640_000, "\r\n--BYE");
    const bytes = Buffer.concat([
      form('--B\nContent-Disposition: form-data; name="file"; filename="a"\n\n'),
      content,
      form("\n--B--"),
    ]);
    const pieces: Uint8Array[] = [];
    for await (const { body } of formParts(inChunks(bytes, [64_000]), "B")) {
      for await (const piece of body) pieces.push(Buffer.from(piece));
    }
    expect(pieces.length).toBeLessThanOrEqual(Math.ceil(bytes.length / 64_000));
    expect(Buffer.concat(pieces).equals(content)).toBe(true);
  });

  it.each([
    ["curl", 'name="file"; filename="a \\"b\\" \\\\c.apk"', 'a "b" \\c.apk'],
    ["a browser", 'name="file"; filename="a %22b%22.apk"', 'a "b".apk'],
    ["an old browser that gives a path", 'name="file"; filename="C:\\apps\\é.apk"', "C:\\apps\\é.apk"],
    ["a client without quotation marks", "name=file; filename=app.apk", "app.apk"],
    ["a client that uses RFC 8187", 'name="file"; filename="_.apk"; filename*=UTF-8\'\'%C3%A9.apk', "é.apk"],
    ["a client with a broken RFC 8187 name", 'name="file"; filename="_.apk"; filename*=UTF-8\'\'%C3', "_.apk"],
    ["a client with semicolons in the name", 'filename="a;name=b.apk"; name="file"', "a;name=b.apk"],
  ])("gives the file name as meant by %s", async (_client, parameters, expected) => {
    const bytes = form(`--B\nContent-Disposition: form-data; ${parameters}\nContent-Type: a/b\n\n\n--B--`);
    const [part] = await readAll(bytes, "B");
    expect(part).toMatchObject({ name: "file", fileName: expected, contentType: "a/b" });
  });

  it.each([
    ["it ends before its last boundary", '--B\nContent-Disposition: form-data; name="a"\n\n1\n'],
    ["it ends within a part's headers", "--B\nContent-Disposition: form-data"],
    ["there is no boundary", "name=value"],
    ["there is nothing", ""],
    ["a part has no name", "--B\nContent-Disposition: form-data\n\n1\n--B--"],
    ["a part is something else", '--B\nContent-Disposition: attachment; name="a"\n\n1\n--B--'],
    ["a part has no Content-Disposition", "--B\nContent-Type: text/plain\n\n1\n--B--"],
    ["a header line has no name", '--B\n: x\nContent-Disposition: form-data; name="a"\n\n1\n--B--'],
    [
      "a part is encoded",
      '--B\nContent-Disposition: form-data; name="a"\nContent-Transfer-Encoding: base64\n\nMQ==\n--B--',
    ],
    ["a part's headers do not end", `--B\nX: ${"x".repeat(20_000)}`],
    ["the preamble does not end", "x".repeat(70_000)],
    ["the epilogue does not end", `--B--\n${"x".repeat(70_000)}`],
  ])("is refused where %s", async (_what, text) => {
    await expect(readAll(form(text), "B", [1000])).rejects.toBeInstanceOf(MalformedFormError);
  });

  it("reads nothing ahead of what is asked for, and leaves the source open where reading stops", async () => {
    let pulled = 0;
    let returned = false;
    const head = form('--B\nContent-Disposition: form-data; name="file"; filename="a"\n\n');
    const source: AsyncIterableIterator<Uint8Array> = {
      async next() {
        pulled += 1;
        return { done: false, value: pulled === 1 ? head : new Uint8Array(1000) };
      },
      async return() {
        returned = true;
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
    for await (const { body } of formParts(source, "B")) {
      expect(pulled).toBe(1);
      await body.next();
      expect(pulled).toBe(2);
      break;
    }
    expect(pulled).toBe(2);
    expect(returned).toBe(false);
  });

  it.each([
    ["lineFeeds", "--B\nContent-Disposition: form-data; name=a\n\n1\n--B--\n"],
    ["lineFeeds", "\n--B\nContent-Disposition: form-data; name=a\n\n1\n--B--\n"],
    ["lineFeeds", "--B\r\nContent-Disposition: form-data; name=a\n\n1\n--B--\n"],
    ["lineFeeds", "--B\r\nContent-Disposition: form-data; name=a\r\n\r\n1\n--B--\r\n"],
    [
      "transferEncoding",
      "--B\r\nContent-Disposition: form-data; name=a\r\nContent-Transfer-Encoding: base64\r\n\r\nMQ==\r\n--B--",
    ],
    ["cutOff", "--B\r\nContent-Disposition: form-data; name=a\r\n\r\n1"],
    ["malformed", "--B\r\nContent-Disposition: attachment\r\n\r\n1\r\n--B--"],
  ])("tells what is wrong with a form: %s", async (fault, text) => {
    for (const sizes of [[1], [4096]]) {
      const read = async () => {
        for await (const part of formParts(inChunks(Buffer.from(text), sizes), "B")) await part.body.next();
      };
      await expect(read()).rejects.toMatchObject({ fault });
    }
  });

  it("skips what was not read of a part", async () => {
    const bytes = form(
      '--B\nContent-Disposition: form-data; name="a"\n\n12345\n--B\nContent-Disposition: form-data; name="b"\n\n1\n--B--',
    );
    const names: string[] = [];
    for await (const { name } of formParts(inChunks(bytes, [2]), "B")) names.push(name);
    expect(names).toEqual(["a", "b"]);
  });
});
