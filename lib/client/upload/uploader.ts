import type { OperationOutput } from "@/lib/client/operation-types";
import { ApiCallError, type ApiProblem } from "@/lib/client/problem";
import { MAX_SERVER_FAILURES, remedyFor, retryDelay } from "./retry";
import { SpeedMeter } from "./speed-meter";

/**
 * The file to upload; a `File` satisfies it.
 * @typeParam Part a range of its bytes, as the transport takes it
 */
export interface UploadFile<Part = Blob> {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  slice(start: number, end: number): Part;
}

/**
 * The server's side of an upload. Every method rejects with an ApiCallError, or with the reason of an aborted signal.
 */
export interface UploadTransport<Part = Blob> {
  create(
    file: { name: string; size: number; sha256?: string },
    signal: AbortSignal,
  ): Promise<OperationOutput<"files/create-upload">>;
  state(uploadId: string, signal: AbortSignal): Promise<OperationOutput<"files/get-upload">>;
  /**
   * Sends the bytes of a part.
   *
   * @param options.onProgress receives the number of bytes sent so far
   * @returns the part's entity tag; null if the store does not let pages read it
   * @throws FileUnreadableError if the file itself cannot be read
   */
  sendPart(
    url: string,
    bytes: Part,
    options: { signal: AbortSignal; onProgress(sent: number): void },
  ): Promise<string | null>;
  complete(
    uploadId: string,
    parts: { number: number; etag: string }[],
    signal: AbortSignal,
  ): Promise<{ fileId: string }>;
  abort(uploadId: string): Promise<void>;
}

/** Stores the ID of an unfinished upload of this file, so that it can be resumed after the page was closed. */
export interface UploadMemory {
  find(): string | null;
  keep(uploadId: string): void;
  forget(): void;
}

/** Whether there is a network connection. */
export interface Connection {
  online(): boolean;
  /** @returns a function that ends the subscription */
  subscribe(listener: () => void): () => void;
}

export interface Clock {
  /** Milliseconds of a monotonic clock. */
  now(): number;
  /** Runs a function once, later. @returns a function that cancels it */
  after(ms: number, run: () => void): () => void;
}

export interface UploaderOptions<Part = Blob> {
  file: UploadFile<Part>;
  /**
   * The file's SHA-256 in hex, with which bytes that are already stored are not sent again; null if it is not computed.
   */
  sha256: Promise<string | null>;
  transport: UploadTransport<Part>;
  memory: UploadMemory;
  connection: Connection;
  clock: Clock;
  /** A number from 0 to 1. */
  random(): number;
  /** Number of parts that are sent in parallel on a fast network. */
  maxConcurrentParts: number;
}

/** The file on this device was moved, changed or removed during the upload. */
export class FileUnreadableError extends Error {
  override readonly name = "FileUnreadableError";
}

export type UploadPhase =
  /** Checking whether some or all bytes are already stored. */
  | "preparing"
  | "uploading"
  /** Joining the parts. */
  | "finishing"
  | "paused"
  /** There is no network connection; continues automatically. */
  | "offline"
  /** The server did not respond; continues automatically, see `retryAt`. */
  | "waiting"
  | "done"
  | "failed"
  | "cancelled";

/** The visible state of an upload. */
export interface UploadSnapshot {
  phase: UploadPhase;
  /** Bytes that have arrived or are being sent. */
  sentBytes: number;
  totalBytes: number;
  /** Bytes that had arrived before this run. */
  resumedBytes: number;
  /** Null until it is known. */
  bytesPerSecond: number | null;
  /** Null until it is known. */
  secondsLeft: number | null;
  /** The time of the next retry by the uploader's clock; null if none is scheduled. */
  retryAt: number | null;
}

/** The result of an upload. */
export type UploadOutcome =
  | {
      status: "done";
      fileId: string;
      /** Whether no bytes had to be sent because they were already stored. */
      reused: boolean;
    }
  | { status: "failed"; problem: ApiProblem | "file_unreadable" }
  | { status: "cancelled" };

/** Number of parts that are sent in parallel at first. Until the speed is known, each part that arrives allows one more. */
const INITIAL_CONCURRENT_PARTS = 2;
/** The parts in flight should be sent within this many seconds. */
const IN_FLIGHT_SECONDS = 20;
/** How long to wait for the hash, in milliseconds. It may avoid the whole upload. */
const HASH_TIMEOUT_MS = 3_000;
/** Number of times that the state is fetched without a part arriving in between. */
const MAX_REFRESHES = 3;
/** Number of times that an upload which the server no longer knows is started again. */
const MAX_RESTARTS = 2;
/** Minimum interval between progress notifications, in milliseconds. */
const NOTIFY_INTERVAL_MS = 100;
const TICK_MS = 1_000;

/** An upload on the server with the parts that have arrived. */
interface OpenUpload {
  uploadId: string;
  /** Bytes. */
  partSize: number;
  etags: Map<number, string | null>;
  missing: { number: number; url: string }[];
}

/** A file that is completely stored. */
interface StoredFile {
  fileId: string;
  reused: boolean;
}

/** Thrown in the pending work of an uploader that was canceled or left. */
class Stopped extends Error {}

/**
 * Uploads one file in parts, several in parallel, each retried until it has arrived. It waits for the network, can be
 * paused, and resumes with the parts that have arrived after the program or the server was gone.
 *
 * Browser and command-line tool use it: everything it uses of its environment is passed in. It is used for one run.
 */
export class Uploader<Part = Blob> {
  readonly #options: UploaderOptions<Part>;
  readonly #listeners = new Set<() => void>();
  readonly #meter = new SpeedMeter();
  /** Bytes in flight, by part. */
  readonly #inFlight = new Map<number, number>();
  /** The retry time of each waiting request, by the function that wakes it. */
  readonly #pendingRetries = new Map<() => void, number>();
  /** Resolves the requests that wait for `resume` or the network. */
  #resumeWaiters: (() => void)[] = [];
  /** Resolves what waits for the next clock tick. */
  #tickWaiters: (() => void)[] = [];
  /** Aborted by a pause, a lost network or the end of the upload; replaced by a new one afterwards. */
  #runAbort = new AbortController();
  #stage: "preparing" | "uploading" | "finishing" = "preparing";
  #end: "done" | "failed" | "cancelled" | null = null;
  readonly #cancelled = Promise.withResolvers<never>();
  #paused = false;
  #requests = 0;
  #arrivedBytes = 0;
  /** The parts that arrived in this run. */
  #arrivedParts = 0;
  #resumedBytes = 0;
  #transferred = 0;
  #uploadId: string | null = null;
  #snapshot: UploadSnapshot;
  #cancelScheduledNotify: (() => void) | null = null;

  constructor(options: UploaderOptions<Part>) {
    this.#options = options;
    this.#snapshot = this.#computeSnapshot();
    // Prevents an unhandled rejection if nothing waits for it.
    this.#cancelled.promise.catch(() => undefined);
  }

  /** The current state; the same object until something changes. */
  readonly snapshot = (): UploadSnapshot => this.#snapshot;

  /** Calls `listener` on every change. @returns a function that ends the subscription */
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
      this.#cancelScheduledNotify?.();
    }
  }

  /** Stops sending until `resume`. Parts that were sent incompletely start again. */
  pause(): void {
    if (this.#paused || this.#end) return;
    this.#paused = true;
    this.#interrupt();
    this.#notify();
  }

  /** Continues after a pause; if it waits for a retry, it retries immediately. */
  resume(): void {
    this.#paused = false;
    for (const wake of this.#pendingRetries.keys()) wake();
    this.#wakeWaiters();
    this.#notify();
  }

  /** Cancels the upload, on the server too. */
  cancel(): void {
    if (this.#end) return;
    this.leave();
    this.#options.memory.forget();
    if (this.#uploadId) void this.#options.transport.abort(this.#uploadId).catch(() => undefined);
  }

  /** Stops without canceling: choosing the same file later resumes the upload. */
  leave(): void {
    if (this.#end) return;
    this.#finish("cancelled");
    this.#cancelled.reject(new Stopped());
    this.#runAbort.abort();
    this.#wakeWaiters();
  }

  async #upload(): Promise<StoredFile> {
    let current = (await this.#findEarlierUpload()) ?? (await this.#begin());
    let refreshes = 0;
    let restarts = 0;
    for (;;) {
      if ("fileId" in current) return current;
      const upload = current;
      const before = upload.etags.size;
      try {
        await this.#sendMissing(upload);
        const parts = knownParts(upload);
        if (parts) return { fileId: await this.#complete(upload.uploadId, parts), reused: false };
        current = (await this.#state(upload.uploadId)) ?? (await this.#begin());
      } catch (error) {
        if (!(error instanceof ApiCallError) || remedyFor(error.problem) !== "refresh") throw error;
        refreshes = upload.etags.size > before ? 0 : refreshes + 1;
        if (refreshes > MAX_REFRESHES) throw error;
        const state = await this.#state(upload.uploadId);
        if (!state) restarts += 1;
        if (restarts > MAX_RESTARTS) throw error;
        current = state ?? (await this.#begin());
      }
    }
  }

  /** An earlier upload of this file that the server still knows; otherwise null. */
  async #findEarlierUpload(): Promise<OpenUpload | StoredFile | null> {
    const uploadId = this.#options.memory.find();
    const upload = uploadId === null ? null : await this.#state(uploadId);
    this.#resumedBytes = this.#arrivedBytes;
    return upload;
  }

  /** The server's state of an upload; null if it does not know the upload, or it belongs to another file. */
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
      return this.#adopt({
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
    const { transport, file } = this.#options;
    const { name, size } = file;
    const sha256 = await this.#hashWithinTimeout();
    const created = await this.#request((signal) =>
      transport.create({ name, size, ...(sha256 !== null && { sha256 }) }, signal),
    );
    if ("fileId" in created) return { fileId: created.fileId, reused: true };
    const { uploadId, partSize, parts } = created;
    return this.#adopt({ uploadId, partSize, missing: parts, etags: new Map() });
  }

  /** The file's hash; null if computing it takes too long. */
  async #hashWithinTimeout(): Promise<string | null> {
    const timeout = Promise.withResolvers<null>();
    const cancel = this.#options.clock.after(HASH_TIMEOUT_MS, () => timeout.resolve(null));
    try {
      return await Promise.race([this.#options.sha256, timeout.promise, this.#cancelled.promise]);
    } finally {
      cancel();
    }
  }

  #adopt(upload: OpenUpload): OpenUpload {
    this.#uploadId = upload.uploadId;
    this.#arrivedBytes = [...upload.etags.keys()].reduce((sum, number) => sum + this.#range(upload, number).length, 0);
    return upload;
  }

  /** The position of a part in the file. */
  #range({ partSize }: OpenUpload, number: number): { start: number; length: number } {
    const start = (number - 1) * partSize;
    return { start, length: Math.min(partSize, this.#options.file.size - start) };
  }

  /** Sends all missing parts, several in parallel. A part that the server rejects aborts the others. */
  async #sendMissing(upload: OpenUpload): Promise<void> {
    this.#enterStage("uploading");
    const waiting = [...upload.missing].sort((a, b) => a.number - b.number);
    const running = new Set<Promise<void>>();
    const round = new AbortController();
    let failure: { error: unknown } | null = null;
    while (running.size > 0 || (waiting.length > 0 && failure === null)) {
      const part = failure === null && running.size < this.#concurrency(upload.partSize) ? waiting.shift() : undefined;
      if (part) {
        const sending: Promise<void> = this.#sendPart(upload, part, round.signal)
          .catch((error: unknown) => {
            failure ??= { error };
            round.abort();
          })
          .finally(() => running.delete(sending));
        running.add(sending);
      } else {
        // More parts can be sent in parallel once the speed is known.
        await Promise.race([...running, new Promise<void>((resolve) => this.#tickWaiters.push(resolve))]);
      }
    }
    if (failure !== null) throw (failure as { error: unknown }).error;
  }

  /**
   * Number of parts to send in parallel. It increases with the speed, so that a lost connection costs only a few
   * seconds and no part exceeds the server's timeout.
   */
  #concurrency(partSize: number): number {
    const { bytesPerSecond } = this.#meter;
    const wanted =
      bytesPerSecond === null
        ? INITIAL_CONCURRENT_PARTS + this.#arrivedParts
        : Math.max(1, Math.ceil((bytesPerSecond * IN_FLIGHT_SECONDS) / partSize));
    return Math.min(this.#options.maxConcurrentParts, wanted);
  }

  async #sendPart(upload: OpenUpload, part: { number: number; url: string }, round: AbortSignal): Promise<void> {
    const { transport, memory, file } = this.#options;
    const { number, url } = part;
    const { start, length } = this.#range(upload, number);
    const bytes = file.slice(start, start + length);
    const onProgress = (sent: number) => this.#recordProgress(number, sent);
    try {
      const etag = await this.#request((signal) => {
        this.#inFlight.set(number, 0);
        return transport.sendPart(url, bytes, { signal, onProgress });
      }, round);
      this.#recordProgress(number, length);
      // An upload of which nothing has arrived is not worth resuming.
      if (upload.etags.size === 0) memory.keep(upload.uploadId);
      upload.etags.set(number, etag);
      this.#arrivedBytes += length;
      this.#arrivedParts += 1;
    } finally {
      this.#inFlight.delete(number);
      this.#notifySoon();
    }
  }

  async #complete(uploadId: string, parts: { number: number; etag: string }[]): Promise<string> {
    const { transport, memory } = this.#options;
    this.#enterStage("finishing");
    try {
      const { fileId } = await this.#request((signal) => transport.complete(uploadId, parts, signal));
      return fileId;
    } catch (error) {
      // The joined file does not match the announced hash; the server has discarded it.
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
   * @param round aborts this request permanently
   */
  async #request<T>(send: (signal: AbortSignal) => Promise<T>, round?: AbortSignal): Promise<T> {
    let failures = 0;
    let serverFailures = 0;
    for (;;) {
      await this.#waitUntilActive(round);
      const active = this.#runAbort.signal;
      const signal = round ? AbortSignal.any([active, round]) : active;
      try {
        return await this.#track(send(signal));
      } catch (error) {
        if (signal.aborted) continue;
        if (!(error instanceof ApiCallError) || remedyFor(error.problem) !== "retry") throw error;
        const { code, retryAfter } = error.problem;
        if (code !== "network") serverFailures += 1;
        if (serverFailures > MAX_SERVER_FAILURES) throw error;
        await this.#waitForRetry(retryDelay(failures, this.#options.random(), retryAfter), signal);
        failures += 1;
      }
    }
  }

  async #track<T>(request: Promise<T>): Promise<T> {
    this.#requests += 1;
    this.#notify();
    try {
      return await request;
    } finally {
      this.#requests -= 1;
    }
  }

  /** Waits for the end of a pause, or for the network. */
  async #waitUntilActive(round?: AbortSignal): Promise<void> {
    for (;;) {
      if (this.#end || round?.aborted) throw new Stopped();
      if (!this.#paused && this.#options.connection.online()) return;
      this.#notify();
      await new Promise<void>((resolve) => this.#resumeWaiters.push(resolve));
    }
  }

  #wakeWaiters(): void {
    const waiting = this.#resumeWaiters;
    this.#resumeWaiters = [];
    for (const resolve of waiting) resolve();
  }

  #waitForRetry(ms: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    return new Promise((resolve) => {
      const wake = () => {
        cancel();
        this.#pendingRetries.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      const cancel = clock.after(ms, wake);
      this.#pendingRetries.set(wake, clock.now() + ms);
      signal.addEventListener("abort", wake);
      if (this.#requests === 0) this.#meter.reset();
      this.#notify();
    });
  }

  #connectionChanged(): void {
    if (!this.#options.connection.online()) this.#interrupt();
    else if (!this.#paused) this.resume();
    this.#notify();
  }

  #interrupt(): void {
    this.#runAbort.abort();
    this.#runAbort = new AbortController();
    this.#inFlight.clear();
    this.#meter.reset();
  }

  #enterStage(stage: "uploading" | "finishing"): void {
    this.#stage = stage;
    this.#meter.reset();
    this.#notify();
  }

  #finish(end: "done" | "failed" | "cancelled"): void {
    this.#end ??= end;
    this.#notify();
  }

  #recordProgress(number: number, sent: number): void {
    const before = this.#inFlight.get(number);
    if (before === undefined) return;
    this.#transferred += Math.max(0, sent - before);
    this.#inFlight.set(number, sent);
    this.#meter.record(this.#transferred, this.#options.clock.now());
    this.#notifySoon();
  }

  /** Updates the speed while nothing arrives. */
  #tick(): () => void {
    const { clock } = this.#options;
    let cancel: () => void;
    const tick = () => {
      if (this.#requests > 0 && this.#stage === "uploading") this.#meter.record(this.#transferred, clock.now());
      for (const resolve of this.#tickWaiters.splice(0)) resolve();
      this.#notify();
      cancel = clock.after(TICK_MS, tick);
    };
    cancel = clock.after(TICK_MS, tick);
    return () => cancel();
  }

  #notifySoon(): void {
    this.#cancelScheduledNotify ??= this.#options.clock.after(NOTIFY_INTERVAL_MS, () => this.#notify());
  }

  #notify(): void {
    this.#cancelScheduledNotify?.();
    this.#cancelScheduledNotify = null;
    this.#snapshot = this.#computeSnapshot();
    for (const listener of this.#listeners) listener();
  }

  #computeSnapshot(): UploadSnapshot {
    const totalBytes = this.#options.file.size;
    const inFlight = [...this.#inFlight.values()].reduce((sum, bytes) => sum + bytes, 0);
    const sentBytes = this.#end === "done" ? totalBytes : Math.min(totalBytes, this.#arrivedBytes + inFlight);
    const phase = this.#phase();
    const { bytesPerSecond } = this.#meter;
    return {
      phase,
      sentBytes,
      totalBytes,
      resumedBytes: this.#resumedBytes,
      bytesPerSecond: phase === "uploading" ? bytesPerSecond : null,
      secondsLeft: phase === "uploading" && bytesPerSecond ? (totalBytes - sentBytes) / bytesPerSecond : null,
      retryAt: phase === "waiting" ? Math.min(...this.#pendingRetries.values()) : null,
    };
  }

  #phase(): UploadPhase {
    if (this.#end) return this.#end;
    if (this.#paused) return "paused";
    if (!this.#options.connection.online()) return "offline";
    return this.#requests === 0 && this.#pendingRetries.size > 0 ? "waiting" : this.#stage;
  }
}

/** The parts of a completed upload in order; null if the entity tag of one has to be fetched. */
function knownParts({ etags }: OpenUpload): { number: number; etag: string }[] | null {
  const parts: { number: number; etag: string }[] = [];
  for (const [number, etag] of etags) {
    if (etag === null) return null;
    parts.push({ number, etag });
  }
  return parts.sort((a, b) => a.number - b.number);
}
