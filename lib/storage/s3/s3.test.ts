import { createHash, randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdir, rename, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setImmediate as immediate } from "node:timers/promises";
import { UploadPartCommand } from "@aws-sdk/client-s3";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { contentDisposition } from "@/lib/http/content-disposition";
import { describeWith } from "@/lib/testing/describe-with";
import { within } from "@/lib/testing/within";
import { findTestS3, tryVersitygw } from "@/scripts/versitygw";
import { StorageError } from "../driver";
import { formatUploadId, joiningUploadId, parseUploadId } from "../upload-id";
import { S3Driver } from ".";
import type { S3Options } from "./bucket";

const MIB = 1024 * 1024;
const ZIP = "application/zip";
const KEY = "installers/a";
const SECRET = "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY";

const options = (endpoint: string, more: Partial<S3Options> = {}): S3Options => ({
  endpoint,
  region: "us-east-1",
  bucket: "files",
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: SECRET,
  forcePathStyle: true,
  ...more,
});

const put = (driver: S3Driver, bytes: Buffer, signal?: AbortSignal, key = KEY) =>
  driver.put(key, Readable.from([bytes]), { contentType: ZIP, maxBytes: 100 * MIB, signal });

async function thrownBy(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => "nothing failed",
    (error) => error,
  );
}

async function failureOf(work: Promise<unknown>): Promise<string> {
  const error = await thrownBy(work);
  return error instanceof StorageError ? error.failure : String(error);
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** Every call that asks the store for something. */
function calls(driver: S3Driver): [string, () => Promise<unknown>][] {
  const uploadId = formatUploadId(10, 5, "upload-1");
  const parts = [1, 2].map((number) => ({ number, etag: "e" }));
  return [
    ["prepare", () => driver.prepare()],
    ["ping", () => driver.ping()],
    ["put", () => put(driver, randomBytes(1000))],
    ["put in parts", () => put(driver, randomBytes(9 * MIB))],
    ["head", () => driver.head(KEY)],
    ["get", async () => buffer(await driver.get(KEY))],
    ["delete", () => driver.delete(KEY)],
    ["list", () => all(driver.list("installers/"))],
    ["createMultipart", () => driver.createMultipart(KEY, { contentType: ZIP, size: 10, partSize: 5 })],
    ["listParts", () => driver.listParts(KEY, uploadId)],
    ["completeMultipart", () => driver.completeMultipart(KEY, uploadId, parts)],
    ["abortMultipart", () => driver.abortMultipart(KEY, uploadId)],
    ["sweepUnfinished", () => driver.sweepUnfinished("installers/", new Date())],
  ];
}

/** A store that answers as a test wants it to, and remembers what it was asked. */
class FakeS3 {
  readonly requests: { method: string; url: URL; length: number }[] = [];
  answer: (request: IncomingMessage, response: ServerResponse, url: URL, body: Buffer) => void = () => {};
  readonly #server: Server;
  endpoint = "";

  constructor() {
    this.#server = createServer(async (request, response) => {
      const url = new URL(String(request.url), this.endpoint);
      const body = await buffer(request).catch(() => Buffer.alloc(0));
      this.requests.push({ method: String(request.method), url, length: body.length });
      this.answer(request, response, url, body);
    });
  }

  async start() {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    this.endpoint = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop() {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

describe("a store that is away", () => {
  it.each([
    ["refuses connections", async () => ({ endpoint: "http://127.0.0.1:1", stop: () => {} })],
    [
      "takes connections and says nothing",
      async () => {
        const server = createTcpServer(() => {}).listen(0, "127.0.0.1");
        await once(server, "listening");
        return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => server.close() };
      },
    ],
    ["has no address", async () => ({ endpoint: "http://store.invalid:9000", stop: () => {} })],
  ])("because it %s is unavailable within 5 seconds, whatever is asked of it", async (_how, start) => {
    const { endpoint, stop } = await start();
    const driver = new S3Driver(options(endpoint));
    const failures = await Promise.all(
      calls(driver).map(async ([name, call]) => [name, await within(5_000, failureOf(call()))]),
    );
    expect(failures).toEqual(calls(driver).map(([name]) => [name, "unavailable"]));
    stop();
  });
});

describe("a store that does not do as S3 does", () => {
  const fake = new FakeS3();
  let driver: S3Driver;

  beforeAll(async () => {
    await fake.start();
    driver = new S3Driver(options(fake.endpoint));
  });
  afterEach(() => {
    vi.useRealTimers();
    fake.requests.splice(0);
  });
  afterAll(() => fake.stop());

  const xml = (response: ServerResponse, status: number, body: string) =>
    response.writeHead(status, { "content-type": "application/xml" }).end(`<?xml version="1.0"?>${body}`);
  const fault = (response: ServerResponse, status: number, code: string) =>
    xml(response, status, `<Error><Code>${code}</Code><Message>no</Message></Error>`);

  const silent = ["prepare", "ping", "delete", "abortMultipart"];
  it.each([
    ["a page of HTML", (response: ServerResponse) => response.end("<!doctype html><title>Welcome</title><p>Hello")],
    ["nothing", (response: ServerResponse) => response.end()],
    ["other XML", (response: ServerResponse) => xml(response, 200, "<Nonsense><Key>a</Key></Nonsense>")],
    ["binary noise", (response: ServerResponse) => response.end(randomBytes(500))],
  ])("and answers 200 with %s is unavailable, and nothing counts as stored", async (_what, answer) => {
    fake.answer = (_request, response) => answer(response);
    for (const [name, call] of calls(driver)) {
      // These have no answer but their status.
      if (silent.includes(name)) continue;
      // What a get gives is compared with the row's hash by those who need it; here its length was told rightly.
      if (name === "get" || name === "head") continue;
      expect([name, await failureOf(call())]).toEqual([name, "unavailable"]);
    }
  });

  it.each([301, 307, 400, 403, 405, 500, 503])(
    "and answers %i to everything is unavailable",
    async (status) => {
      fake.answer = (_request, response) => {
        response.writeHead(status, { location: "http://127.0.0.1:1/" }).end();
      };
      const impatient = new S3Driver(options(fake.endpoint, { patience: 200 }));
      for (const [name, call] of calls(impatient)) {
        expect([name, await failureOf(call())]).toEqual([name, "unavailable"]);
      }
    },
    60_000,
  );

  it.each([
    [503, "SlowDown"],
    [500, "InternalError"],
    [429, "TooManyRequests"],
  ])("and answers %i %s four times is asked once more, since the bytes have arrived", async (status, code) => {
    let left = 4;
    fake.answer = (request, response) => {
      if (request.method === "PUT" && left-- > 0) fault(response, status, code);
      else response.writeHead(200, { etag: '"e"', "content-length": request.method === "HEAD" ? 1000 : 0 }).end();
    };
    const bytes = randomBytes(1000);
    expect((await put(driver, bytes)).size).toBe(1000);
    const sent = fake.requests.filter(({ method }) => method === "PUT");
    expect(sent.map(({ length }) => length)).toEqual(Array(5).fill(1000));
  });

  it("and is slow has more time for what belongs to bytes that have arrived", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    fake.answer = (request, response) => {
      vi.advanceTimersByTime(3_000);
      response.writeHead(200, { etag: '"e"', "content-length": request.method === "HEAD" ? 10 : 0 }).end();
    };
    const icon = { contentType: "image/png", maxBytes: 100, isPatient: true };
    expect((await driver.put(KEY, Readable.from([randomBytes(10)]), icon)).size).toBe(10);
    expect(await failureOf(driver.head(KEY))).toBe("unavailable");
  });

  it.each([
    [400, "AuthorizationHeaderMalformed", "<Region>eu-central-1</Region>", {}],
    [301, "PermanentRedirect", "", { "x-amz-bucket-region": "eu-central-1" }],
    [403, "AccessDenied", "", { "x-amz-bucket-region": "us-east-1" }],
  ])("and refuses to tell of its bucket (%i %s) is asked once for the reason", async (status, code, more, headers) => {
    fake.answer = (request, response) => {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      if (request.method === "HEAD") response.writeHead(status).end();
      else xml(response, status, `<Error><Code>${code}</Code><Message>no</Message>${more}</Error>`);
    };
    const error = (await thrownBy(driver.prepare())) as StorageError;
    const hint = code === "AccessDenied" ? "" : " (set S3_REGION to eu-central-1)";
    expect(String(error.cause)).toContain(`${code} (${status}): no${hint}`);
    expect(fake.requests.map(({ method }) => method)).toEqual(["HEAD", "GET"]);
  });

  it("and lost its bucket is unavailable, not without the object", async () => {
    fake.answer = (_request, response) => fault(response, 404, "NoSuchBucket");
    for (const [name, call] of calls(driver)) {
      if (name === "head") continue;
      expect([name, await failureOf(call())]).toEqual([name, "unavailable"]);
    }
  });

  it.each([
    [507, "InsufficientStorage"],
    [403, "QuotaExceeded"],
    [507, "XMinioStorageFull"],
    [507, ""],
  ])("and says %i %s is full", async (status, code) => {
    fake.answer = (request, response) => {
      if (request.method === "PUT") fault(response, status, code);
      else response.writeHead(204).end();
    };
    expect(await failureOf(put(driver, randomBytes(1000)))).toBe("full");
  });

  it("and shows another etag than it answered has stored nothing, and is told to remove it", async () => {
    fake.answer = (request, response) => {
      const etag = request.method === "PUT" ? '"aaaa"' : '"bbbb"';
      response.writeHead(request.method === "DELETE" ? 204 : 200, { etag, "content-length": 0 }).end();
    };
    expect(await failureOf(put(driver, Buffer.alloc(0)))).toBe("unavailable");
    expect(fake.requests.map(({ method }) => method)).toEqual(["PUT", "HEAD", "DELETE"]);
  });

  it("and shows another size than was sent has stored nothing", async () => {
    fake.answer = (request, response) => {
      if (request.method === "HEAD") response.writeHead(200, { etag: '"aaaa"', "content-length": 999 }).end();
      else response.writeHead(200, { etag: '"aaaa"' }).end();
    };
    expect(await failureOf(put(driver, randomBytes(1000)))).toBe("unavailable");
  });

  describe("with an upload in parts", () => {
    const size = 9 * MIB;
    interface Lies {
      listed?: string;
      listedSize?: number;
      complete?: (response: ServerResponse) => void;
      head?: { etag: string; size: number };
    }

    /** Answers as S3 would but for one lie. */
    function lie({ listed = "e", listedSize, complete, head = { etag: "whole", size } }: Lies) {
      const sizes = new Map<number, number>();
      fake.answer = (request, response, url, body) => {
        const query = url.searchParams;
        if (request.method === "POST" && query.has("uploads")) {
          xml(response, 200, "<InitiateMultipartUploadResult><UploadId>u1</UploadId></InitiateMultipartUploadResult>");
        } else if (request.method === "PUT") {
          sizes.set(Number(query.get("partNumber")), body.length);
          response.writeHead(200, { etag: `"e${query.get("partNumber")}"` }).end();
        } else if (request.method === "GET" && query.has("uploadId")) {
          const parts = [...sizes].map(
            ([number, bytes]) =>
              `<Part><PartNumber>${number}</PartNumber><ETag>"${listed}${number}"</ETag><Size>${listedSize ?? bytes}</Size></Part>`,
          );
          xml(response, 200, `<ListPartsResult><UploadId>u1</UploadId>${parts.join("")}</ListPartsResult>`);
        } else if (request.method === "POST") {
          if (complete) complete(response);
          else
            xml(response, 200, '<CompleteMultipartUploadResult><ETag>"whole"</ETag></CompleteMultipartUploadResult>');
        } else if (request.method === "HEAD") {
          response.writeHead(200, { etag: `"${head.etag}"`, "content-length": head.size }).end();
        } else {
          response.writeHead(204).end();
        }
      };
    }
    const sent = () => fake.requests.map(({ method, url }) => `${method} ${[...url.searchParams.keys()][0] ?? ""}`);

    it("stores it when there is no lie at all", async () => {
      lie({});
      expect((await put(driver, randomBytes(size))).size).toBe(size);
      expect(sent().filter((call) => call.startsWith("DELETE"))).toEqual([]);
    });

    it("stores it through a proxy that compresses, which makes the entity tags weak", async () => {
      lie({});
      const strong = fake.answer;
      fake.answer = (request, response, url, body) => {
        const writeHead = response.writeHead.bind(response) as (status: number, headers?: object) => ServerResponse;
        response.writeHead = ((code: number, headers: { etag?: string } = {}) =>
          writeHead(code, { ...headers, ...(headers.etag && { etag: `W/${headers.etag}` }) })) as never;
        strong(request, response, url, body);
      };
      expect((await put(driver, randomBytes(size))).size).toBe(size);
    });

    it("stores it though the store is busy when it joins the parts", async () => {
      let left = 4;
      const complete = (response: ServerResponse) =>
        left-- > 0
          ? fault(response, 503, "SlowDown")
          : xml(response, 200, '<CompleteMultipartUploadResult><ETag>"whole"</ETag></CompleteMultipartUploadResult>');
      lie({ complete: (response) => void complete(response) });
      expect((await put(driver, randomBytes(size))).size).toBe(size);
      expect(sent().filter((call) => call === "POST uploadId")).toHaveLength(5);
    });

    it.each<[string, Lies]>([
      ["lists other etags than it answered", { listed: "x" }],
      ["lists other sizes than were sent", { listedSize: 5 }],
      ["joins with an error inside a 200", { complete: (response) => fault(response, 200, "InternalError") }],
      ["joins without an etag", { complete: (response) => response.end() }],
      ["shows another etag of the whole", { head: { etag: "other", size } }],
      ["shows another size of the whole", { head: { etag: "whole", size: size - 1 } }],
    ])("and %s has stored nothing, and is told to forget it", async (_what, lies) => {
      lie(lies);
      const impatient = new S3Driver(options(fake.endpoint, { patience: 2_000 }));
      expect(await failureOf(put(impatient, randomBytes(size)))).toBe("unavailable");
      expect(sent().filter((call) => call.startsWith("DELETE"))).toHaveLength(2);
    });
  });

  it.each([
    ["ContinuationToken", () => all(driver.list("a/"))],
    ["part-number-marker", () => driver.listParts(KEY, formatUploadId(1, 1, "u1"))],
    ["key-marker", () => driver.sweepUnfinished("a/", new Date())],
  ])("and lists in circles by %s is unavailable", async (_name, call) => {
    fake.answer = (_request, response) => {
      const more =
        "<UploadId>u1</UploadId><IsTruncated>true</IsTruncated><KeyCount>0</KeyCount><NextContinuationToken>t</NextContinuationToken>" +
        "<NextPartNumberMarker>1</NextPartNumberMarker><NextKeyMarker>k</NextKeyMarker><NextUploadIdMarker>u</NextUploadIdMarker>";
      xml(response, 200, `<ListResult>${more}</ListResult>`);
    };
    expect(await failureOf(call())).toBe("unavailable");
    expect(fake.requests.length).toBeLessThan(5);
  });

  describe("with an object", () => {
    const read = async (range?: { start: number; end: number }, from = driver) => buffer(await from.get(KEY, range));

    it("and ends it early fails the reader", async () => {
      fake.answer = (_request, response) => {
        response.writeHead(200, { "content-length": 1000 }).write(randomBytes(500));
        setTimeout(() => response.destroy(), 20);
      };
      expect(await failureOf(read())).toBe("unavailable");
    });

    it("and stops in the middle fails a reader that waits", async () => {
      fake.answer = (_request, response) => {
        response.writeHead(200, { "content-length": 3 * MIB }).write(randomBytes(2 * MIB));
      };
      const impatient = new S3Driver(options(fake.endpoint, { stall: 300 }));
      expect(await failureOf(read(undefined, impatient))).toBe("unavailable");
    });

    it("does not fail a reader that is slow itself", async () => {
      fake.answer = (_request, response) => {
        response.writeHead(200, { "content-length": 3 * MIB }).end(randomBytes(3 * MIB));
      };
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      let received = 0;
      const body = await driver.get(KEY);
      for await (const chunk of body) {
        if (received === 0) {
          // What is read ahead has to be there before the reader can be the one that is slow.
          while (body.readableLength < body.readableHighWaterMark) await immediate();
          vi.advanceTimersByTime(3_600_000);
        }
        received += (chunk as Buffer).length;
      }
      expect(received).toBe(3 * MIB);
    });

    it.each([
      ["ignores the range", 200, {}],
      ["gives another range", 206, { "content-range": "bytes 0-9/100" }],
      ["gives a range of another length", 206, { "content-range": "bytes 10-18/100" }],
      ["gives no range at all", 206, {}],
    ])("and %s is unavailable", async (_how, status, headers) => {
      fake.answer = (_request, response) => {
        response.writeHead(status, { "content-length": 10, ...headers }).end(randomBytes(10));
      };
      expect(await failureOf(read({ start: 10, end: 19 }))).toBe("unavailable");
    });

    it.each([
      ["before it has read of it", async () => {}],
      ["in the middle of it", async (object: Readable) => void (await once(object, "readable"))],
    ])("lets go of the connection when its reader leaves %s", async (_when, beginReading) => {
      const closed: Promise<unknown>[] = [];
      fake.answer = (_request, response) => {
        closed.push(once(response, "close"));
        response.writeHead(200, { "content-length": 2 * MIB }).write(randomBytes(MIB));
      };
      const object = await driver.get(KEY);
      await beginReading(object);
      object.destroy();
      await Promise.all(closed);
      expect(closed).toHaveLength(1);
    });

    it("that is shorter than the range says missing", async () => {
      fake.answer = (_request, response) => {
        response.writeHead(206, { "content-length": 5, "content-range": "bytes 10-14/15" }).end(randomBytes(5));
      };
      expect(await failureOf(read({ start: 10, end: 19 }))).toBe("missing");
    });
  });

  it("gets no chance to put a secret, a signature or its own words at length into the log", async () => {
    fake.answer = (request, response) =>
      xml(
        response,
        403,
        `<Error><Code>SignatureDoesNotMatch</Code><Message>${"long ".repeat(1000)}</Message><StringToSign>AWS4-HMAC</StringToSign><SignatureProvided>${request.headers.authorization}</SignatureProvided></Error>`,
      );
    const error = await thrownBy(driver.listParts(KEY, formatUploadId(1, 1, "u1")));
    const cause = (error as StorageError).cause as Error;
    const logged = JSON.stringify([error, cause, { ...cause }, cause.message, cause.stack]);
    expect(cause.message).toContain("SignatureDoesNotMatch (403)");
    expect(cause.message.length).toBeLessThan(300);
    for (const secret of [SECRET, "Signature=", "StringToSign"]) expect(logged).not.toContain(secret);
  });

  it("is left at once when the caller's signal says so, and the caller's reason is thrown", async () => {
    fake.answer = () => {};
    const reason = new Error("the caller went away");
    const started = put(driver, randomBytes(10), AbortSignal.timeout(100));
    expect(await within(2_000, thrownBy(started))).toHaveProperty("name", "TimeoutError");
    const abort = new AbortController();
    setTimeout(() => abort.abort(reason), 100);
    expect(await within(2_000, thrownBy(put(driver, randomBytes(10), abort.signal)))).toBe(reason);
  });
});

const s3 = await findTestS3();

describeWith(s3, "presigned URLs", (server) => {
  const bucket = `presigned-${randomUUID()}`;
  const bytes = randomBytes(100_000);
  const presented = {
    contentDisposition: contentDisposition("Añadido «β» 1.0.apk"),
    contentType: "application/vnd.android.package-archive",
  };
  const connect = (more: Partial<S3Options> = {}) =>
    new S3Driver({
      endpoint: server.endpoint,
      region: server.region,
      bucket,
      accessKeyId: server.accessKey,
      secretAccessKey: server.secretKey,
      forcePathStyle: true,
      ...more,
    });
  let driver: S3Driver;

  beforeAll(async () => {
    driver = connect();
    await driver.prepare();
    await put(driver, bytes);
  });
  afterAll(() => server.stop());

  it("give the object to anyone who has them, under the requested name and type", async () => {
    const response = await fetch(await driver.presignGet(KEY, presented, 60));
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe(presented.contentType);
    expect(response.headers.get("content-disposition")).toBe(presented.contentDisposition);
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
  });

  it("come from a bucket that servers starting at the same moment agree on", async () => {
    for (let round = 1; round <= 10; round++) {
      const instances = Array.from({ length: 8 }, () => connect({ bucket: `${bucket}-${round}` }));
      await Promise.all(instances.map((instance) => instance.prepare()));
      await put(instances[0] as S3Driver, bytes);
      expect(await Promise.all(instances.map((instance) => instance.head(KEY)))).toEqual(
        instances.map(() => ({ size: bytes.length })),
      );
    }
  });

  it("give ranges as well", async () => {
    const url = await driver.presignGet(KEY, presented, 60);
    const response = await fetch(url, { headers: { range: "bytes=10-19" } });
    expect(response.status).toBe(206);
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes.subarray(10, 20))).toBe(true);
  });

  it("open nothing else: another object, name or method is refused", async () => {
    const url = await driver.presignGet(KEY, presented, 60);
    for (const changed of [
      url.replace(KEY, "installers/b"),
      url.replace("apk", "exe"),
      url.replace(/Expires=\d+/, "Expires=9999"),
    ]) {
      expect(changed).not.toBe(url);
      expect((await fetch(changed)).status).toBe(403);
    }
    expect((await fetch(url, { method: "DELETE" })).status).toBe(403);
  });

  it("are good for at most 5 minutes, and for no longer than asked", async () => {
    expect(new URL(await driver.presignGet(KEY, presented, 86_400)).searchParams.get("X-Amz-Expires")).toBe("300");
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 3_000 });
    const url = await driver.presignGet(KEY, presented, 1).finally(() => vi.useRealTimers());
    expect((await fetch(url)).status).toBe(403);
  });

  it("carry no checksum that a strict server would hold against the real body", async () => {
    const uploadId = await driver.createMultipart(KEY, { contentType: ZIP, size: 5 * MIB + 1, partSize: 5 * MIB });
    const urls = [await driver.presignGet(KEY, presented, 60), await driver.presignPart(KEY, uploadId, 1, 60)];
    for (const url of urls) expect(url.toLowerCase()).not.toMatch(/x-amz-checksum-|x-amz-sdk-checksum/);
    expect(new URL(urls[1] as string).searchParams.get("X-Amz-SignedHeaders")).toBe("content-length;host");
    await driver.abortMultipart(KEY, uploadId);
  });

  it("of a thousand parts are signed without a command for each", async () => {
    const commands = vi.spyOn(UploadPartCommand.prototype, "resolveMiddleware");
    const driver = new S3Driver(options("http://store.example:9000"));
    const id = formatUploadId(1_000 * MIB, MIB, "u1/2+3=~*");
    const urls = await Promise.all(
      Array.from({ length: 1_000 }, (_, index) => driver.presignPart(KEY, id, index + 1, 60)),
    );
    expect(commands).not.toHaveBeenCalled();
    expect(new Set(urls.map((url) => new URL(url).searchParams.get("X-Amz-Signature"))).size).toBe(1_000);
    commands.mockRestore();
  });

  it("name the public endpoint where clients reach the store by another, and hold no secret", async () => {
    const published = connect({ endpoint: "http://127.0.0.1:1", publicEndpoint: "https://files.example.com" });
    const url = new URL(await published.presignGet(KEY, presented, 60));
    expect(url.origin).toBe("https://files.example.com");
    expect(url.pathname).toBe(`/${bucket}/${KEY}`);
    expect(url.href).not.toContain(server.secretKey);
    const part = new URL(await published.presignPart(KEY, formatUploadId(1, 1, "u"), 1, 60));
    expect(part.origin + part.pathname).toBe(url.origin + url.pathname);
  });

  it("put the bucket into the host name where path style is off", async () => {
    const hosted = connect({ publicEndpoint: "https://s3.example.com", forcePathStyle: false });
    expect(new URL(await hosted.presignGet(KEY, presented, 60)).host).toBe(`${bucket}.s3.example.com`);
    const part = new URL(await hosted.presignPart(KEY, formatUploadId(1, 1, "u"), 1, 60));
    expect(part.origin + part.pathname).toBe(`https://${bucket}.s3.example.com/${KEY}`);
  });

  it("and a wrong secret are refused by the store", async () => {
    const forged = connect({ secretAccessKey: "wrong" });
    expect((await fetch(await forged.presignGet(KEY, presented, 60))).status).toBe(403);
    expect(await failureOf(forged.ping())).toBe("unavailable");
    expect(await failureOf(forged.get(KEY))).toBe("unavailable");
  });
});

const ownServer = await tryVersitygw();
describeWith(ownServer, "an S3 server that is killed while it joins parts", (server) => {
  const bucket = "killed";
  const driver = new S3Driver({
    ...options(server.endpoint, { bucket }),
    accessKeyId: server.accessKey,
    secretAccessKey: server.secretKey,
  });
  const bytes = randomBytes(5 * MIB + 1);
  const pieces = [bytes.subarray(0, 5 * MIB), bytes.subarray(5 * MIB)];
  const content = { size: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };

  beforeAll(() => driver.prepare());
  afterAll(() => server.stop());

  const uploadsOf = (key: string) =>
    join(bucket, ".sgwtmp", "multipart", createHash("sha256").update(key).digest("hex"));

  /** An upload whose parts have arrived and are about to be joined. */
  async function arrived(key: string) {
    const begun = await driver.createMultipart(key, { contentType: ZIP, size: bytes.length, partSize: 5 * MIB });
    const parts = [];
    for (const [index, piece] of pieces.entries()) {
      parts.push(await driver.putPart(key, begun, index + 1, Readable.from([piece])));
    }
    return { id: joiningUploadId(begun, parts), parts };
  }

  /** Leaves an upload as versitygw does that is killed in the middle: under the name that it has while its parts are joined. */
  async function claim(key: string, id: string) {
    const { nativeId, joinedEtag } = parseUploadId(id);
    const claims = await readdir(join(server.folders[0] as string, uploadsOf(key)));
    const current = claims.find((name) => name.startsWith(nativeId)) as string;
    for (const folder of server.folders) {
      const path = join(folder, uploadsOf(key));
      await rename(join(path, current), join(path, `${current}.${joinedEtag}.inprogress`));
    }
  }

  const leftOf = (key: string) => readdir(join(server.folders[0] as string, uploadsOf(key))).catch(() => []);

  it.each([1, 2, 3])("%i times has the parts, which are joined when nobody else does", async (times) => {
    const key = `installers/${times}`;
    const { id, parts } = await arrived(key);
    for (let time = 0; time < times; time++) await claim(key, id);
    expect(await driver.listParts(key, id)).toEqual(parts);
    expect(await failureOf(driver.completeMultipart(key, id, parts))).toBe("missing");
    expect(await driver.completeMultipart(key, id, parts, { takeOver: true })).toEqual(content);
    expect(await leftOf(key)).toEqual([]);
    expect(await driver.completeMultipart(key, id, parts)).toEqual(content);
  });

  it("after it has stored the object keeps nothing of the parts", async () => {
    const key = "installers/whole";
    const { id, parts } = await arrived(key);
    await put(driver, bytes, undefined, key);
    await claim(key, id);
    // It removes the parts one after the other.
    const path = join(server.folders[0] as string, uploadsOf(key));
    await rm(join(path, (await readdir(path))[0] as string, "1"));
    expect(await failureOf(driver.listParts(key, id))).toBe("missing");
    expect(await driver.completeMultipart(key, id, parts)).toEqual(content);
    expect(await leftOf(key)).toEqual([]);
  });

  it("has stored the object whose parts it is removing", async () => {
    const key = "installers/joined-by-another";
    const { id, parts } = await arrived(key);
    await put(driver, bytes, undefined, key);
    const path = join(server.folders[0] as string, uploadsOf(key));
    await rm(join(path, (await readdir(path))[0] as string, "1"));
    expect(await driver.completeMultipart(key, id, parts)).toEqual(content);
  });

  it("keeps nothing of an upload that is given up", async () => {
    const key = "installers/abandoned";
    const { id } = await arrived(key);
    await claim(key, id);
    await driver.abortMultipart(key, id);
    expect(await leftOf(key)).toEqual([]);
    expect(await failureOf(driver.listParts(key, id))).toBe("missing");
  });

  it("has nothing to take over of an upload that it does not know", async () => {
    const key = "installers/unknown";
    const { id, parts } = await arrived(key);
    await driver.abortMultipart(key, id);
    expect(await failureOf(driver.completeMultipart(key, id, parts, { takeOver: true }))).toBe("missing");
  });
});
