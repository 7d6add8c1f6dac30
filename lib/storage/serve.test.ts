import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DiskDriver } from "./disk";
import { StorageError } from "./driver";
import { S3Driver } from "./s3";
import { type ServeOptions, serveStored } from "./serve";

const bytes = randomBytes(1000);
const file = {
  key: "installers/a",
  size: bytes.length,
  sha256: createHash("sha256").update(bytes).digest("hex"),
  contentType: "application/vnd.android.package-archive",
  fileName: "Añadido 1.0.apk",
  lastModified: new Date("2026-11-20T10:00:00Z"),
};
const etag = `"${file.sha256}"`;
const DISPOSITION = "attachment; filename=\"Anadido 1.0.apk\"; filename*=UTF-8''A%C3%B1adido%201.0.apk";

let dataDir: string;
let disk: DiskDriver;
const s3 = new S3Driver({
  endpoint: "http://127.0.0.1:1",
  publicEndpoint: "https://files.example.com",
  region: "us-east-1",
  bucket: "files",
  accessKeyId: "id",
  secretAccessKey: "secret",
  forcePathStyle: true,
});

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "slipway-serve-"));
  disk = new DiskDriver({ dataDir });
  await disk.put(file.key, Readable.from([bytes]), { contentType: file.contentType, maxBytes: 1000 });
});
afterAll(() => rm(dataDir, { recursive: true }));

const serve = (
  headers: Record<string, string> = {},
  {
    method = "GET",
    driver = disk as DiskDriver | S3Driver,
    ...options
  }: Partial<ServeOptions> & {
    method?: string;
    driver?: DiskDriver | S3Driver;
  } = {},
) => serveStored(driver, file, { method, headers: new Headers(headers) }, { redirect: true, ...options });

describe("a download from the disk", () => {
  it("comes whole, as an attachment under its name that a browser must not guess about", async () => {
    const { status, headers, body } = await serve();
    expect(status).toBe(200);
    expect(headers).toEqual({
      etag,
      "accept-ranges": "bytes",
      "cache-control": "private, no-cache",
      "content-disposition": DISPOSITION,
      "content-length": "1000",
      "content-type": file.contentType,
      "last-modified": "Fri, 20 Nov 2026 10:00:00 GMT",
      "x-content-type-options": "nosniff",
    });
    expect((await buffer(body as Readable)).equals(bytes)).toBe(true);
  });

  it("comes in the range that was asked for", async () => {
    const { status, headers, body } = await serve({ range: "bytes=990-2000" });
    expect(status).toBe(206);
    expect(headers).toMatchObject({ "content-range": "bytes 990-999/1000", "content-length": "10", etag });
    expect(headers["content-disposition"]).toBe(DISPOSITION);
    expect((await buffer(body as Readable)).equals(bytes.subarray(990))).toBe(true);
  });

  it("is put together again from ranges under one etag", async () => {
    const first = await serve({ range: "bytes=0-499" });
    const rest = await serve({ range: "bytes=500-", "if-range": String(first.headers.etag) });
    const parts = await Promise.all([first, rest].map(({ body }) => buffer(body as Readable)));
    expect(Buffer.concat(parts).equals(bytes)).toBe(true);
  });

  it("answers 416 with the size where none of the range is there", async () => {
    const { status, headers, body } = await serve({ range: "bytes=1000-" });
    expect(status).toBe(416);
    expect(headers["content-range"]).toBe("bytes */1000");
    expect(body).toBeNull();
  });

  it("answers 304 without a body where the caller has it, 412 where the caller wants another", async () => {
    expect(await serve({ "if-none-match": etag })).toEqual({
      status: 304,
      headers: { etag, "cache-control": "private, no-cache", "last-modified": "Fri, 20 Nov 2026 10:00:00 GMT" },
      body: null,
    });
    expect(await serve({ "if-match": '"other"' })).toMatchObject({ status: 412, body: null });
  });

  it("answers a HEAD with the headers of the whole and no body", async () => {
    const head = await serve({ range: "bytes=0-9" }, { method: "HEAD" });
    const get = await serve();
    expect(head).toEqual({ status: 200, headers: get.headers, body: null });
    get.body?.destroy();
  });

  it("is shown inline and cached as its owner says", async () => {
    const { headers, body } = await serve({}, { disposition: "inline", cacheControl: "public, max-age=60" });
    expect(headers["content-disposition"]).toMatch(/^inline; /);
    expect(headers["cache-control"]).toBe("public, max-age=60");
    body?.destroy();
  });

  it("fails as missing where the bytes are gone", async () => {
    const gone = { ...file, key: "installers/gone" };
    const serving = serveStored(disk, gone, { method: "GET", headers: new Headers() }, { redirect: true });
    await expect(serving).rejects.toThrow(new StorageError("missing"));
  });
});

describe("a download from S3", () => {
  it("is sent to a presigned URL of 5 minutes that carries name and type, and is not kept", async () => {
    const { status, headers, body } = await serve({}, { driver: s3 });
    expect(status).toBe(302);
    expect(body).toBeNull();
    expect(headers["cache-control"]).toBe("no-store");
    const url = new URL(String(headers.location));
    expect(url.origin).toBe("https://files.example.com");
    expect(url.searchParams.get("X-Amz-Expires")).toBe("300");
    expect(url.searchParams.get("response-content-disposition")).toBe(DISPOSITION);
    expect(url.searchParams.get("response-content-type")).toBe(file.contentType);
  });

  it("answers HEAD, 304 and 416 by itself", async () => {
    expect(await serve({}, { driver: s3, method: "HEAD" })).toMatchObject({ status: 200, body: null });
    expect(await serve({ "if-none-match": etag }, { driver: s3 })).toMatchObject({ status: 304 });
    expect(await serve({ range: "bytes=1000-" }, { driver: s3 })).toMatchObject({ status: 416 });
  });

  it("goes through this server where clients must not be sent away", async () => {
    await expect(serve({}, { driver: s3, redirect: false })).rejects.toThrow(new StorageError("unavailable"));
  });
});
