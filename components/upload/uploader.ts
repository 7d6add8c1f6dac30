import type { z } from "zod";
import { ApiCallError, type ApiProblem } from "@/lib/client/client";
import type { createUploadOutput, uploadStateSchema } from "@/lib/features/uploads/schema";
import { remedyFor, retryDelay } from "./retry";
import { SpeedMeter } from "./speed-meter";

/** The file to upload; a `File` is one. */
export type UploadFile = Pick<File, "name" | "size" | "slice">;

/** The server's side of an upload. Every method fails with an ApiCallError, or with whatever it was aborted with. */
export interface UploadTransport {
  create(
    file: { name: string; size: number; sha256?: string },
    signal: AbortSignal,
  ): Promise<z.output<typeof createUploadOutput>>;
  state(uploadId: string, signal: AbortSignal): Promise<z.output<typeof uploadStateSchema>>;
  /**
   * Sends the bytes of one part.
   *
   * @param options.onProgress is told how many of them are on their way
   * @returns the part's entity tag; null where the store does not let pages read it
   * @throws FileUnreadableError where the file itself cannot be read
   */
  sendPart(
    url: string,
    bytes: Blob,
    options: { signal: AbortSignal; onProgress(sent: number): void },
  ): Promise<string | null>;
  complete(
    uploadId: string,
    parts: { number: number; etag: string }[],
    signal: AbortSignal,
  ): Promise<{ fileId: string }>;
  abort(uploadId: string): Promise<void>;
}

/** Where an unfinished upload of this file is noted, so that it goes on after the page was closed. */
export interface UploadMemory {
  find(): string | null;
  keep(uploadId: string): void;
  forget(): void;
}

/** Whether there is a network at all. */
export interface Connection {
  online(): boolean;
  /** @returns what ends the subscription */
  subscribe(listener: () => void): () => void;
}

export interface Clock {
  /** Milliseconds; never goes back. */
  now(): number;
  /** Runs something once, later. @returns what prevents it */
  after(ms: number, run: () => void): () => void;
}

export interface UploaderOptions {
  file: UploadFile;
  /** The file's SHA-256 in hex, with which bytes that the store has need not be sent; null where it is not taken. */
  sha256: Promise<string | null>;
  transport: UploadTransport;
  memory: UploadMemory;
  connection: Connection;
  clock: Clock;
  /** A number from 0 to 1. */
  random(): number;
}

/** The file on this device was moved, changed or removed while it was being sent. */
export class FileUnreadableError extends Error {
  override readonly name = "FileUnreadableError";
}

export type UploadPhase =
  /** Asking whether the bytes, or some of them, are there already. */
  | "preparing"
  | "uploading"
  /** Joining the parts. */
  | "finishing"
  | "paused"
  /** There is no network; goes on by itself. */
  | "offline"
  /** The server did not answer; goes on by itself, see `retryAt`. */
  | "waiting"
  | "done"
  | "failed"
  | "cancelled";

/** What there is to see of an upload. */
export interface UploadSnapshot {
  phase: UploadPhase;
  /** Bytes that have arrived or are on their way. */
  sentBytes: number;
  totalBytes: number;
  /** Bytes that had arrived before this run. */
  resumedBytes: number;
  /** Null as long as it is not known. */
  bytesPerSecond: number | null;
  /** Null as long as it is not known. */
  secondsLeft: number | null;
  /** When the next try is, by the uploader's clock; null where none is due. */
  retryAt: number | null;
}

/** How an upload ended. */
export type UploadOutcome =
  | {
      status: "done";
      fileId: string;
      /** No byte had to be sent: the store had them. */
      reused: boolean;
    }
  | { status: "failed"; problem: ApiProblem | "file_unreadable" }
  | { status: "cancelled" };

/** So many parts travel at once where the network is fast; browsers open six connections, and pages need some too. */
const MAX_LANES = 4;
/** As long as the speed is not known. */
const FIRST_LANES = 2;
/** All that is under way should be through within so many seconds. */
const LANE_SECONDS = 20;
/** So long is a hash waited for that is still being taken, in milliseconds: it may spare the whole upload, or nothing. */
const HASH_MS = 3_000;
/** So often may the server itself fail at one request; a server that cannot be reached is waited for without limit. */
const MAX_SERVER_FAILURES = 8;
/** So often is the state asked for without a part arriving in between. */
const MAX_REFRESHES = 3;
/** So often is an upload begun anew that the server has forgotten. */
const MAX_RESTARTS = 2;
/** Progress is told at most so often, in milliseconds. */
const TELL_MS = 100;
const TICK_MS = 1_000;

/** An upload on the server, and what is known to be there of it. */
interface OpenUpload {
  uploadId: string;
  /** Bytes. */
  partSize: number;
  etags: Map<number, string | null>;
  missing: { number: number; url: string }[];
}

/** A file that is whole in the store. */
interface StoredFile {
  fileId: string;
  reused: boolean;
}

/** Ends the work of an uploader that was cancelled or left. */
class Stopped extends Error {}

/**
 * Uploads one file in parts: several at a time, each repeated until it has arrived. It waits while there is no network,
 * can be paused, and goes on after the page or the server was gone, with the parts that had arrived.
 *
 * One uploader is good for one run. It knows nothing of the page: everything that it touches is handed in.
 */
export class Uploader {
  readonly #options: UploaderOptions;
  readonly #listeners = new Set<() => void>();
  readonly #meter = new SpeedMeter();
  /** Bytes under way, by part. */
  readonly #underWay = new Map<number, number>();
  /** When sleeping requests are tried again, with what wakes them. */
  readonly #sleeping = new Map<() => void, number>();
  /** What waits for the uploader to go on. */
  #gate: (() => void)[] = [];
  /** What waits for the next look at the clock. */
  #ticking: (() => void)[] = [];
  /** Ended by a pause, a lost network, or the end of it all; another one follows. */
  #stretch = new AbortController();
  #stage: "preparing" | "uploading" | "finishing" = "preparing";
  #end: "done" | "failed" | "cancelled" | null = null;
  readonly #left = Promise.withResolvers<never>();
  #paused = false;
  #requests = 0;
  #arrivedBytes = 0;
  #resumedBytes = 0;
  #transferred = 0;
  #uploadId: string | null = null;
  #snapshot: UploadSnapshot;
  #telling: (() => void) | null = null;

  constructor(options: UploaderOptions) {
    this.#options = options;
    this.#snapshot = this.#look();
    // Nobody may be waiting for it.
    this.#left.promise.catch(() => undefined);
  }

  /** What there is to see; the same object until something changes. */
  readonly snapshot = (): UploadSnapshot => this.#snapshot;

  /** Calls `listener` on every change. @returns what stops it */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Uploads the file. */
  async run(): Promise<UploadOutcome> {
    const stopListening = this.#options.connection.subscribe(() => this.#connectionChanged());
    const stopTicking = this.#tick();
    try {
      const outcome = await this.#upload();
      this.#finish("done");
      return { status: "done", ...outcome };
    } catch (error) {
      if (error instanceof Stopped) return { status: "cancelled" };
      this.#finish("failed");
      if (error instanceof FileUnreadableError) return { status: "failed", problem: "file_unreadable" };
      if (error instanceof ApiCallError) return { status: "failed", problem: error.problem };
      throw error;
    } finally {
      stopListening();
      stopTicking();
      this.#telling?.();
    }
  }

  /** Stops sending until `resume`; parts that are half sent begin anew then. */
  pause(): void {
    if (this.#paused || this.#end) return;
    this.#paused = true;
    this.#interrupt();
    this.#tell();
  }

  /** Goes on after a pause; while it waits for another try, tries at once. */
  resume(): void {
    this.#paused = false;
    for (const wake of this.#sleeping.keys()) wake();
    this.#openGate();
    this.#tell();
  }

  /** Gives the upload up, on the server too. */
  cancel(): void {
    if (this.#end) return;
    this.leave();
    this.#options.memory.forget();
    if (this.#uploadId) void this.#options.transport.abort(this.#uploadId).catch(() => undefined);
  }

  /** Stops without giving up: with the same file it goes on later where it stopped. */
  leave(): void {
    if (this.#end) return;
    this.#finish("cancelled");
    this.#left.reject(new Stopped());
    this.#stretch.abort();
    this.#openGate();
  }

  async #upload(): Promise<StoredFile> {
    let found = (await this.#remembered()) ?? (await this.#begin());
    let refreshes = 0;
    let restarts = 0;
    for (;;) {
      if ("fileId" in found) return found;
      const upload = found;
      const before = upload.etags.size;
      try {
        await this.#sendMissing(upload);
        const parts = knownParts(upload);
        if (parts) return { fileId: await this.#complete(upload.uploadId, parts), reused: false };
        found = (await this.#state(upload.uploadId)) ?? (await this.#begin());
      } catch (error) {
        if (!(error instanceof ApiCallError) || remedyFor(error.problem) !== "refresh") throw error;
        refreshes = upload.etags.size > before ? 0 : refreshes + 1;
        if (refreshes > MAX_REFRESHES) throw error;
        const state = await this.#state(upload.uploadId);
        if (!state) restarts += 1;
        if (restarts > MAX_RESTARTS) throw error;
        found = state ?? (await this.#begin());
      }
    }
  }

  /** An earlier upload of this file that the server still knows. */
  async #remembered(): Promise<OpenUpload | StoredFile | null> {
    const uploadId = this.#options.memory.find();
    const upload = uploadId === null ? null : await this.#state(uploadId);
    this.#resumedBytes = this.#arrivedBytes;
    return upload;
  }

  /** What the server knows of an upload; null where that is nothing, or another file. */
  async #state(uploadId: string): Promise<OpenUpload | StoredFile | null> {
    const { transport, memory, file } = this.#options;
    try {
      const state = await this.#request((signal) => transport.state(uploadId, signal));
      if (state.size !== file.size) {
        memory.forget();
        return null;
      }
      if (state.fileId !== null) return { fileId: state.fileId, reused: false };
      const { partSize, missing, parts } = state;
      return this.#opened({
        uploadId,
        partSize,
        missing,
        etags: new Map(parts.map(({ number, etag }) => [number, etag])),
      });
    } catch (error) {
      if (!(error instanceof ApiCallError) || remedyFor(error.problem) !== "refresh") throw error;
      memory.forget();
      return null;
    }
  }

  async #begin(): Promise<OpenUpload | StoredFile> {
    const { transport, memory, file } = this.#options;
    const { name, size } = file;
    const sha256 = await this.#knownHash();
    const created = await this.#request((signal) =>
      transport.create({ name, size, ...(sha256 !== null && { sha256 }) }, signal),
    );
    if ("fileId" in created) return { fileId: created.fileId, reused: true };
    memory.keep(created.uploadId);
    const { uploadId, partSize, parts } = created;
    return this.#opened({ uploadId, partSize, missing: parts, etags: new Map() });
  }

  /** The file's hash; null where taking it lasts longer than it is worth. */
  async #knownHash(): Promise<string | null> {
    const late = Promise.withResolvers<null>();
    const cancel = this.#options.clock.after(HASH_MS, () => late.resolve(null));
    try {
      return await Promise.race([this.#options.sha256, late.promise, this.#left.promise]);
    } finally {
      cancel();
    }
  }

  #opened(upload: OpenUpload): OpenUpload {
    this.#uploadId = upload.uploadId;
    this.#arrivedBytes = [...upload.etags.keys()].reduce((sum, number) => sum + this.#range(upload, number).length, 0);
    return upload;
  }

  /** Where a part is in the file. */
  #range({ partSize }: OpenUpload, number: number): { start: number; length: number } {
    const start = (number - 1) * partSize;
    return { start, length: Math.min(partSize, this.#options.file.size - start) };
  }

  /** Sends all parts that are missing, several at a time. One that the server refuses ends the others too. */
  async #sendMissing(upload: OpenUpload): Promise<void> {
    this.#enter("uploading");
    const waiting = [...upload.missing].sort((a, b) => a.number - b.number);
    const running = new Set<Promise<void>>();
    const round = new AbortController();
    let failure: { error: unknown } | null = null;
    while (running.size > 0 || (waiting.length > 0 && failure === null)) {
      const part = failure === null && running.size < this.#lanes(upload.partSize) ? waiting.shift() : undefined;
      if (part) {
        const sending: Promise<void> = this.#sendPart(upload, part, round.signal)
          .catch((error: unknown) => {
            failure ??= { error };
            round.abort();
          })
          .finally(() => running.delete(sending));
        running.add(sending);
      } else {
        // There may be room for more once the speed is known.
        await Promise.race([...running, new Promise<void>((resolve) => this.#ticking.push(resolve))]);
      }
    }
    if (failure !== null) throw (failure as { error: unknown }).error;
  }

  /**
   * So many parts travel at once: the faster the more, so that what a lost connection takes along is worth a few
   * seconds, and no part takes longer than a server waits for one.
   */
  #lanes(partSize: number): number {
    const { bytesPerSecond } = this.#meter;
    if (bytesPerSecond === null) return FIRST_LANES;
    return Math.min(MAX_LANES, Math.max(1, Math.ceil((bytesPerSecond * LANE_SECONDS) / partSize)));
  }

  async #sendPart(upload: OpenUpload, part: { number: number; url: string }, round: AbortSignal): Promise<void> {
    const { transport, file } = this.#options;
    const { number, url } = part;
    const { start, length } = this.#range(upload, number);
    const bytes = file.slice(start, start + length);
    const onProgress = (sent: number) => this.#progressed(number, sent);
    try {
      const etag = await this.#request((signal) => {
        this.#underWay.set(number, 0);
        return transport.sendPart(url, bytes, { signal, onProgress });
      }, round);
      this.#progressed(number, length);
      upload.etags.set(number, etag);
      this.#arrivedBytes += length;
    } finally {
      this.#underWay.delete(number);
      this.#tellSoon();
    }
  }

  async #complete(uploadId: string, parts: { number: number; etag: string }[]): Promise<string> {
    const { transport, memory } = this.#options;
    this.#enter("finishing");
    try {
      const { fileId } = await this.#request((signal) => transport.complete(uploadId, parts, signal));
      return fileId;
    } catch (error) {
      // The whole is not the file that was announced; the server has thrown it away.
      if (error instanceof ApiCallError && error.problem.errors.some(({ path }) => path === "sha256")) {
        memory.forget();
        throw new ApiCallError({ ...error.problem, status: 0, code: "checksum_mismatch" });
      }
      throw error;
    }
  }

  /**
   * Sends a request until it is answered.
   *
   * @param round ends this request for good
   */
  async #request<T>(send: (signal: AbortSignal) => Promise<T>, round?: AbortSignal): Promise<T> {
    let failures = 0;
    let serverFailures = 0;
    for (;;) {
      await this.#goingOn(round);
      const stretch = this.#stretch.signal;
      const signal = round ? AbortSignal.any([stretch, round]) : stretch;
      try {
        return await this.#counted(send(signal));
      } catch (error) {
        if (signal.aborted) continue;
        if (!(error instanceof ApiCallError) || remedyFor(error.problem) !== "retry") throw error;
        const { code, retryAfter } = error.problem;
        if (code !== "network") serverFailures += 1;
        if (serverFailures > MAX_SERVER_FAILURES) throw error;
        await this.#sleep(retryDelay(failures, this.#options.random(), retryAfter), signal);
        failures += 1;
      }
    }
  }

  async #counted<T>(request: Promise<T>): Promise<T> {
    this.#requests += 1;
    this.#tell();
    try {
      return await request;
    } finally {
      this.#requests -= 1;
    }
  }

  /** Waits for the end of a pause, or for the network. */
  async #goingOn(round?: AbortSignal): Promise<void> {
    for (;;) {
      if (this.#end || round?.aborted) throw new Stopped();
      if (!this.#paused && this.#options.connection.online()) return;
      this.#tell();
      await new Promise<void>((resolve) => this.#gate.push(resolve));
    }
  }

  #openGate(): void {
    const waiting = this.#gate;
    this.#gate = [];
    for (const resolve of waiting) resolve();
  }

  #sleep(ms: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    return new Promise((resolve) => {
      const wake = () => {
        cancel();
        this.#sleeping.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      const cancel = clock.after(ms, wake);
      this.#sleeping.set(wake, clock.now() + ms);
      signal.addEventListener("abort", wake);
      if (this.#requests === 0) this.#meter.reset();
      this.#tell();
    });
  }

  #connectionChanged(): void {
    if (!this.#options.connection.online()) this.#interrupt();
    else if (!this.#paused) this.resume();
    this.#tell();
  }

  #interrupt(): void {
    this.#stretch.abort();
    this.#stretch = new AbortController();
    this.#underWay.clear();
    this.#meter.reset();
  }

  #enter(stage: "uploading" | "finishing"): void {
    this.#stage = stage;
    this.#meter.reset();
    this.#tell();
  }

  #finish(end: "done" | "failed" | "cancelled"): void {
    this.#end ??= end;
    this.#tell();
  }

  #progressed(number: number, sent: number): void {
    const before = this.#underWay.get(number);
    if (before === undefined) return;
    this.#transferred += Math.max(0, sent - before);
    this.#underWay.set(number, sent);
    this.#meter.note(this.#transferred, this.#options.clock.now());
    this.#tellSoon();
  }

  /** Notes the time that passes while nothing arrives. */
  #tick(): () => void {
    const { clock } = this.#options;
    let cancel: () => void;
    const tick = () => {
      if (this.#requests > 0 && this.#stage === "uploading") this.#meter.note(this.#transferred, clock.now());
      for (const resolve of this.#ticking.splice(0)) resolve();
      this.#tell();
      cancel = clock.after(TICK_MS, tick);
    };
    cancel = clock.after(TICK_MS, tick);
    return () => cancel();
  }

  #tellSoon(): void {
    this.#telling ??= this.#options.clock.after(TELL_MS, () => this.#tell());
  }

  #tell(): void {
    this.#telling?.();
    this.#telling = null;
    this.#snapshot = this.#look();
    for (const listener of this.#listeners) listener();
  }

  #look(): UploadSnapshot {
    const totalBytes = this.#options.file.size;
    const underWay = [...this.#underWay.values()].reduce((sum, bytes) => sum + bytes, 0);
    const sentBytes = this.#end === "done" ? totalBytes : Math.min(totalBytes, this.#arrivedBytes + underWay);
    const phase = this.#phase();
    const { bytesPerSecond } = this.#meter;
    return {
      phase,
      sentBytes,
      totalBytes,
      resumedBytes: this.#resumedBytes,
      bytesPerSecond: phase === "uploading" ? bytesPerSecond : null,
      secondsLeft: phase === "uploading" && bytesPerSecond ? (totalBytes - sentBytes) / bytesPerSecond : null,
      retryAt: phase === "waiting" ? Math.min(...this.#sleeping.values()) : null,
    };
  }

  #phase(): UploadPhase {
    if (this.#end) return this.#end;
    if (this.#paused) return "paused";
    if (!this.#options.connection.online()) return "offline";
    return this.#requests === 0 && this.#sleeping.size > 0 ? "waiting" : this.#stage;
  }
}

/** The parts of a whole upload in order; null where the tag of one has to be asked for. */
function knownParts({ etags }: OpenUpload): { number: number; etag: string }[] | null {
  const parts: { number: number; etag: string }[] = [];
  for (const [number, etag] of etags) {
    if (etag === null) return null;
    parts.push({ number, etag });
  }
  return parts.sort((a, b) => a.number - b.number);
}
