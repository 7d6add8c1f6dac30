import "server-only";
import { isUtf8 } from "node:buffer";
import { ReadableStream, type ReadableStreamDefaultReader } from "node:stream/web";
import type { ByteStream } from "@/lib/http/chunks";
import { recycles } from "@/lib/http/chunks";
import { ApiError, invalidField } from "@/lib/kernel/errors";
import { parseJson } from "@/lib/kernel/json";
import { type FormPart, formBoundary, formParts, MalformedFormError } from "./multipart";
import type { ReceivedFile } from "./received-file";
import type { RouteRequest } from "./routes";

/** The largest JSON body of a command that declares none. */
export const DEFAULT_JSON_BYTES = 64 * 1024;
/** The time limit of a small body, in seconds. */
const SMALL_BODY_SECONDS = 30;
const MAX_FIELD_BYTES = 64 * 1024;
const MAX_FIELDS = 100;
const MAX_FIELD_NAME = 200;
/** Room for the other fields and the boundaries around a file. */
const FORM_OVERHEAD_BYTES = 1024 * 1024;

/** The length of the body by the request's headers, in bytes; null if they do not say. */
export function contentLength(request: RouteRequest): number | null {
  const header = request.headers.get("content-length");
  return header && /^\d{1,15}$/.test(header) ? Number(header) : null;
}

/** The request's body; empty if it has none. */
export function bodyStream(request: RouteRequest): ReadableStream<Uint8Array> {
  return (request.body as ReadableStream<Uint8Array> | null) ?? ReadableStream.from([]);
}

type BodyReader = ReadableStreamDefaultReader<Uint8Array>;

/**
 * Reads a body while `use` runs, then releases it and leaves the rest unread: ending the stream would close the
 * connection before the answer is sent.
 * @param maxMs time limit in milliseconds, after which the body counts as interrupted
 */
async function reading<T>(
  request: RouteRequest,
  use: (chunks: AsyncIterable<Uint8Array>) => Promise<T>,
  maxMs?: number,
): Promise<T> {
  const reader = bodyStream(request).getReader();
  // A pending read fails when the reader is released.
  const deadline = maxMs === undefined ? undefined : setTimeout(() => reader.releaseLock(), maxMs);
  try {
    return await use(chunksOf(reader));
  } finally {
    clearTimeout(deadline);
    reader.releaseLock();
  }
}

async function* chunksOf(reader: BodyReader): AsyncGenerator<Uint8Array, void> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/**
 * A small body's bytes.
 * @throws ApiError file_too_large; Error where the body breaks off or takes too long
 */
async function collected(request: RouteRequest, maxBytes: number): Promise<Buffer> {
  const length = contentLength(request);
  if (length !== null && length > maxBytes) throw tooLarge(maxBytes);
  const chunks: Uint8Array[] = [];
  let size = 0;
  const collect = async (body: AsyncIterable<Uint8Array>) => {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk);
    }
  };
  await reading(request, collect, SMALL_BODY_SECONDS * 1000);
  return Buffer.concat(chunks);
}

/**
 * Reads a JSON body. No body at all counts as `{}`.
 * @throws ApiError unsupported_media_type, file_too_large, invalid_json, validation_failed (see `parseJson`)
 */
export async function readJson(request: RouteRequest, maxBytes = DEFAULT_JSON_BYTES): Promise<unknown> {
  const type = request.headers.get("content-type");
  let body: Buffer;
  try {
    body = await collected(request, maxBytes);
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError("invalid_json", { cause: error });
  }
  if (body.length === 0) return {};
  if (!type || !/^application\/(json|[\w.-]+\+json)\s*(;|$)/i.test(type)) throw new ApiError("unsupported_media_type");
  try {
    return parseJson(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (cause) {
    throw cause instanceof ApiError ? cause : new ApiError("invalid_json", { cause });
  }
}

/**
 * Reads a form without files (application/x-www-form-urlencoded), the way another site's page posts one.
 * @throws ApiError file_too_large; Error where the body breaks off or takes too long
 */
export async function readUrlEncoded(request: RouteRequest): Promise<URLSearchParams> {
  return new URLSearchParams((await collected(request, MAX_FIELD_BYTES)).toString("utf8"));
}

/**
 * Reads a body of bytes.
 * @throws ApiError file_too_large, invalid_request where the body breaks off or takes too long
 */
export async function readBytes(request: RouteRequest, maxBytes: number): Promise<Buffer> {
  try {
    return await collected(request, maxBytes);
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError("invalid_request", { cause: error });
  }
}

/** A 413 that names the limit, in MB or, where that is small, in KB. */
export function tooLarge(maxBytes: number): ApiError {
  return maxBytes < 1_000_000
    ? new ApiError("file_too_large", { params: { limit: Math.floor(maxBytes / 1000), unit: "KB" } })
    : new ApiError("file_too_large", { params: { limit: Math.floor(maxBytes / 1_000_000), unit: "MB" } });
}

/** Whether a request carries a form. */
export function isForm(request: RouteRequest): boolean {
  return /^multipart\/form-data\s*(;|$)/i.test(request.headers.get("content-type") ?? "");
}

/**
 * Puts a form field where it belongs: `metadata[gitCommit]` becomes `{ metadata: { gitCommit } }`, and a repeated
 * field becomes a list.
 */
function assignField(fields: Map<string, unknown>, name: string, value: string): void {
  const nested = /^([A-Za-z]\w*)\[([^[\]]{1,100})\]$/.exec(name);
  if (nested) {
    const [, group, key] = nested as unknown as [string, string, string];
    const entries = fields.get(group);
    if (entries instanceof Map) append(entries, key, value);
    else append(fields, group, new Map([[key, value]]));
    return;
  }
  append(fields, name, value);
}

/**
 * Adds a value to a field; a repeated field becomes a list. No value is dropped: the schema of the input refuses values
 * that do not fit together.
 */
function append(fields: Map<string, unknown>, name: string, value: unknown): void {
  const earlier = fields.get(name);
  fields.set(name, earlier === undefined ? value : [...(Array.isArray(earlier) ? earlier : [earlier]), value]);
}

function plain(fields: Map<string, unknown>): Record<string, unknown> {
  // fromEntries defines own properties, so that a field called __proto__ is a field like any other.
  return Object.fromEntries([...fields].map(([name, value]) => [name, value instanceof Map ? plain(value) : value]));
}

/**
 * Reads a field, whose text a client may send as a file, as curl does for `-F changelog=@CHANGELOG.md`.
 * @param fileField the field of the form's file
 * @throws ApiError validation_failed
 */
async function fieldText({ name, fileName, contentType, body }: FormPart, fileField: string): Promise<string> {
  const noText = () => fileElsewhere(name, fileField);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_FIELD_BYTES) {
      throw fileName === null ? invalidField(name, "tooBig.text", { limit: MAX_FIELD_BYTES }) : noText();
    }
    chunks.push(chunk);
  }
  const text = decoded(Buffer.concat(chunks), contentType ?? "");
  if (text === null) throw fileName === null ? invalidField(name, "notUtf8") : noText();
  return fileName === null ? text : text.replace(/^\uFEFF/, "");
}

function fileElsewhere(field: string, fileField: string): ApiError {
  return invalidField(field, "fileElsewhere", { field: fileField, limit: MAX_FIELD_BYTES / 1024 });
}

/**
 * Decodes UTF-8, or else the encoding that the content type names.
 * @returns null if the bytes are neither, because decoding them would change the text
 */
function decoded(bytes: Buffer, contentType: string): string | null {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  const charset = /;\s*charset="?([^\s;"]+)/i.exec(contentType)?.[1];
  if (charset === undefined) return null;
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Reads a part to its end. */
async function skip({ body }: FormPart): Promise<void> {
  while (!(await body.next()).done);
}

/** How a form's file is taken. */
export interface FormFile {
  /** The form field; the parsed input holds a ReceivedFile under this name. */
  field: string;
  /** Other names under which clients send that file. */
  aliases?: readonly string[];
  /** Bytes. */
  maxBytes(): number;
  /** Refuses a file by its name before one byte of it is taken. @throws ApiError */
  accept?(name: string): void;
  /** The fields whose text may be sent as a file. */
  texts?: readonly string[];
  /** The names of other files, which are read and not kept. */
  ignored?: readonly string[];
}

/** What becomes of a form's file. */
export interface FileReceiver {
  /**
   * Is told of a field as soon as it is read, and of a file that is not kept before it is read, with a null value.
   * @throws ApiError to end the reading
   */
  field?(name: string, value: string | null): Promise<void>;
  /**
   * Decides by the fields that came before the file whether to take it.
   * @throws ApiError where not
   */
  authorizeUpload(fields: Record<string, unknown>): Promise<void>;
  /** Stores the file while it arrives. */
  store(file: { name: string; contentType: string; body: ByteStream }): Promise<ReceivedFile>;
  /** Is told of the file as soon as it is stored. */
  received(file: ReceivedFile): void;
}

/** The messages of what is wrong with a form. */
const FORM_FAULTS = {
  cutOff: "incompleteUpload",
  lineFeeds: "formLineFeeds",
  transferEncoding: "formTransferEncoding",
  malformed: "malformedForm",
} as const;

function brokenOff(field: string, cause: unknown): ApiError {
  const message = FORM_FAULTS[cause instanceof MalformedFormError ? cause.fault : "cutOff"];
  return new ApiError("validation_failed", { cause, issues: [{ path: [field], code: "incomplete", message }] });
}

/** The chunks of a form; a connection that breaks is a form that breaks off. */
async function* formChunks(chunks: AsyncIterable<Uint8Array>, field: string): AsyncGenerator<Uint8Array, void> {
  try {
    yield* chunks;
  } catch (error) {
    throw brokenOff(field, error);
  }
}

/**
 * Reads a multipart/form-data body (RFC 7578), its one file streamed straight to the store. The fields may come in any
 * order; those before the file can have it refused before one byte of it is taken.
 * @throws ApiError file_too_large (before the bytes are taken, where the request says its length),
 *   unsupported_media_type, validation_failed, or what the receiver said
 */
export async function readForm(request: RouteRequest, form: FormFile, receiver: FileReceiver): Promise<unknown> {
  const length = contentLength(request);
  if (length !== null && length > form.maxBytes() + FORM_OVERHEAD_BYTES) throw tooLarge(form.maxBytes());
  const boundary = formBoundary(request.headers.get("content-type") ?? "");
  if (boundary === null) throw new ApiError("unsupported_media_type");
  try {
    return await reading(request, (chunks) => {
      const parts = formParts(formChunks(chunks, form.field), boundary);
      return readParts(parts, form, {
        ...receiver,
        store: (file) => receiver.store({ ...file, body: recycledWith(bodyStream(request), file.body) }),
      });
    });
  } catch (error) {
    if (request.signal.aborted || error instanceof MalformedFormError) throw brokenOff(form.field, error);
    throw error;
  }
}

/** Lets the stream of the form recycle the chunks of a part. */
function recycledWith(form: ByteStream, part: ByteStream): ByteStream {
  return recycles(form) ? Object.assign(part, { recycle: (chunk: Uint8Array) => form.recycle(chunk) }) : part;
}

async function readParts(parts: AsyncIterable<FormPart>, form: FormFile, receiver: FileReceiver): Promise<unknown> {
  const fields = new Map<string, unknown>();
  let count = 0;
  let file: ReceivedFile | undefined;
  for await (const part of parts) {
    const { name, fileName } = part;
    count += 1;
    if (count > MAX_FIELDS) throw invalidField("", "tooManyFields", { limit: MAX_FIELDS });
    if (name.length > MAX_FIELD_NAME) throw invalidField(name.slice(0, MAX_FIELD_NAME), "unknownField");
    if (fileName !== null && form.ignored?.includes(name)) {
      await receiver.field?.(name, null);
      await skip(part);
      continue;
    }
    if (fileName === null || form.texts?.includes(name)) {
      const value = await fieldText(part, form.field);
      await receiver.field?.(name, value);
      assignField(fields, name, value);
      continue;
    }
    if (name !== form.field && !form.aliases?.includes(name)) throw fileElsewhere(name, form.field);
    if (fileName === "") {
      // A browser sends an empty file without a name where nothing was chosen.
      if ((await fieldText(part, form.field)) !== "") throw invalidField(name, "invalid");
      continue;
    }
    if (file) throw invalidField(name, "oneFileOnly");
    form.accept?.(fileName);
    await receiver.authorizeUpload(plain(fields));
    const contentType = part.contentType ?? "application/octet-stream";
    file = await receiver.store({ name: fileName, contentType, body: ReadableStream.from(part.body) });
    receiver.received(file);
  }
  return { ...plain(fields), ...(file && { [form.field]: file }) };
}
