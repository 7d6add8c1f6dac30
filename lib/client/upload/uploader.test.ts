import { describe, expect, it, onTestFinished } from "vitest";
import { ApiCallError, type ApiProblem } from "@/lib/client/problem";
import { FileUnreadableError, Uploader, type UploaderOptions, type UploadSnapshot } from "./uploader";

const PART = 10;
const MAX_CONCURRENT_PARTS = 4;
const UPLOAD = "0198c0de-0000-7000-8000-000000000001";

function failure(code: string, status: number, extra: Partial<ApiProblem> = {}): ApiCallError {
  return new ApiCallError({
    code,
    status,
    title: "",
    detail: "",
    errors: [],
    requestId: null,
    retryAfter: null,
    ...extra,
  });
}
const NETWORK = () => failure("network", 0);

/** Runs all pending microtasks and timers that are due. */
async function settle(): Promise<void> {
  for (let i = 0; i < 50; i += 1) await Promise.resolve();
}

/** The parts that are being read. */
const readings = new Set<Promise<unknown>>();

/** A clock that only moves when the test advances it. */
class TestClock {
  #now = 1_000;
  #timers: { at: number; run: () => void }[] = [];

  now = () => this.#now;

  after = (ms: number, run: () => void) => {
    const timer = { at: this.#now + ms, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  };

  /** Advances the time in steps, running everything that is due. */
  async pass(ms: number): Promise<void> {
    const until = this.#now + ms;
    await settle();
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#timers = this.#timers.filter((one) => one !== next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
      await settle();
    }
    this.#now = until;
  }

  get pending(): number {
    return this.#timers.length;
  }
}

/** A part in transfer, controlled by the test. */
interface Transfer {
  number: number;
  text: string;
  url: string;
  progress(sent: number): void;
  arrive(): void;
  fail(error: unknown): void;
  readonly aborted: boolean;
}

/** A server that stores parts, and fails when the test tells it to. */
class TestServer {
  readonly parts = new Map<number, string>();
  readonly calls: string[] = [];
  readonly transfers: Transfer[] = [];
  /** The failures of the next calls of an operation. */
  readonly failures: Record<string, ApiCallError[]> = {};
  size = 0;
  known = false;
  stored: { sha256: string; fileId: string } | null = null;
  completed: string | null = null;
  /** If set, the test completes the transfers; otherwise they complete immediately. */
  manual = false;
  urls = "v1";
  /** Whether the store hides the entity tags of parts from pages. */
  hidesTags = false;

  #call(name: string): void {
    this.calls.push(name);
    const failing = this.failures[name]?.shift();
    if (failing) throw failing;
  }

  #missing() {
    return Array.from({ length: Math.ceil(this.size / PART) }, (_, index) => index + 1)
      .filter((number) => !this.parts.has(number))
      .map((number) => ({ number, url: `${this.urls}/${number}` }));
  }

  transport: UploaderOptions["transport"] = {
    create: async ({ size, sha256 }) => {
      this.#call("create");
      if (this.stored && this.stored.sha256 === sha256) return { fileId: this.stored.fileId };
      this.size = size;
      this.known = true;
      this.parts.clear();
      return { uploadId: UPLOAD, partSize: PART, parts: this.#missing() };
    },
    state: async (uploadId) => {
      this.#call("state");
      if (!this.known || uploadId !== UPLOAD) throw failure("not_found", 404);
      const parts = [...this.parts.keys()].map((number) => ({ number, etag: `e${number}` }));
      const { size, completed: fileId } = this;
      return { uploadId, partSize: PART, size, parts, missing: this.#missing(), fileId };
    },
    sendPart: (url, bytes, { signal, onProgress }) => {
      const number = Number(url.split("/")[1]);
      return new Promise<string | null>((resolve, reject) => {
        const reading = bytes.text().then((text) => {
          const transfer: Transfer = {
            number,
            text,
            url,
            progress: onProgress,
            arrive: () => {
              this.parts.set(number, text);
              resolve(this.hidesTags ? null : `e${number}`);
            },
            fail: reject,
            get aborted() {
              return signal.aborted;
            },
          };
          this.transfers.push(transfer);
          try {
            this.#call(`part ${number}`);
          } catch (error) {
            reject(error);
            return;
          }
          signal.addEventListener("abort", () => reject(signal.reason));
          if (!this.manual) transfer.arrive();
        });
        readings.add(reading);
        void reading.finally(() => readings.delete(reading));
      });
    },
    complete: async (_, parts) => {
      this.#call("complete");
      expect(parts).toEqual(Array.from({ length: parts.length }, (_, i) => ({ number: i + 1, etag: `e${i + 1}` })));
      this.completed = "the-file";
      return { fileId: "the-file" };
    },
    abort: async () => {
      this.#call("abort");
    },
  };

  get content(): string {
    return [...this.parts]
      .sort(([a], [b]) => a - b)
      .map(([, text]) => text)
      .join("");
  }
}

const TEXT = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXY";

function setUp(
  options: { server?: TestServer; text?: string; sha256?: Promise<string | null>; remembered?: string } = {},
) {
  const server = options.server ?? new TestServer();
  const clock = new TestClock();
  const memory = { uploadId: options.remembered ?? null };
  const listeners = new Set<() => void>();
  const network = {
    up: true,
    set(up: boolean) {
      network.up = up;
      for (const listener of listeners) listener();
    },
  };
  const uploader = new Uploader({
    file: new File([options.text ?? TEXT], "app.ipa"),
    sha256: options.sha256 ?? Promise.resolve(null),
    transport: server.transport,
    clock,
    random: () => 1,
    maxConcurrentParts: MAX_CONCURRENT_PARTS,
    memory: {
      find: () => memory.uploadId,
      keep: (uploadId) => {
        memory.uploadId = uploadId;
      },
      forget: () => {
        memory.uploadId = null;
      },
    },
    connection: {
      online: () => network.up,
      subscribe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  });
  const seen: UploadSnapshot[] = [];
  uploader.subscribe(() => seen.push(uploader.snapshot()));
  onTestFinished(() => uploader.leave());
  const phase = () => uploader.snapshot().phase;
  return { server, clock, memory, network, uploader, seen, phase, listeners };
}

/** Waits until the parts were read that are sent, and everything that follows has run. */
async function quiet(): Promise<void> {
  await settle();
  while (readings.size > 0) {
    await Promise.all(readings);
    await settle();
  }
}

describe("Uploader", () => {
  it("sends a file in parts and joins them", async () => {
    const { server, uploader, memory, listeners, clock } = setUp();
    expect(await uploader.run()).toEqual({ status: "done", fileId: "the-file", reused: false });
    expect(server.content).toBe(TEXT);
    expect(uploader.snapshot()).toMatchObject({ phase: "done", sentBytes: TEXT.length, totalBytes: TEXT.length });
    // Until it is published, the same file finds the finished upload again.
    expect(memory.uploadId).toBe(UPLOAD);
    expect(listeners.size).toBe(0);
    expect(clock.pending).toBe(0);
  });

  it("remembers an upload once its first part has arrived, because nothing of it could be resumed before", async () => {
    const { server, uploader, memory } = setUp();
    server.manual = true;
    void uploader.run();
    await quiet();
    expect(server.transfers.length).toBeGreaterThan(0);
    expect(memory.uploadId).toBeNull();
    server.transfers[0]?.arrive();
    await quiet();
    expect(memory.uploadId).toBe(UPLOAD);
  });

  it("sends nothing if the bytes are already stored", async () => {
    const server = new TestServer();
    server.stored = { sha256: "f00", fileId: "twin" };
    const { uploader } = setUp({ server, sha256: Promise.resolve("f00") });
    expect(await uploader.run()).toEqual({ status: "done", fileId: "twin", reused: true });
    expect(server.calls).toEqual(["create"]);
  });

  it.each([
    { network: "a slow", bytesPerSecond: 0.25, lanes: 1 },
    { network: "an ordinary", bytesPerSecond: 1, lanes: 2 },
    { network: "a fast", bytesPerSecond: 20, lanes: MAX_CONCURRENT_PARTS },
  ])("has two parts under way at first, and $lanes on $network network", async ({ bytesPerSecond, lanes }) => {
    const { server, uploader, clock } = setUp({ text: "x".repeat(100 * PART) });
    server.manual = true;
    void uploader.run();
    await quiet();
    const underWay = () => server.transfers.length - server.parts.size;
    expect(underWay()).toBe(2);
    // Sends bytes to the oldest part at a constant rate until the speed is known and a part has arrived.
    for (let sent = 0; sent < 1.5 * PART || clock.now() < 10_000; sent += bytesPerSecond / 2) {
      for (const { number, arrive } of server.transfers.filter((one) => !server.parts.has(one.number))) {
        if (number * PART <= sent) arrive();
      }
      const current = server.transfers.find(({ number }) => !server.parts.has(number));
      current?.progress(Math.min(PART, Math.floor(sent - (current.number - 1) * PART)));
      await quiet();
      await clock.pass(500);
    }
    expect(underWay()).toBe(lanes);
  });

  it("sends one more part in parallel for each that arrives before the speed is known, up to a limit", async () => {
    const { server, uploader } = setUp({ text: "x".repeat(100 * PART) });
    server.manual = true;
    void uploader.run();
    await quiet();
    const underWay = () => server.transfers.length - server.parts.size;
    for (const expected of [2, 3, MAX_CONCURRENT_PARTS, MAX_CONCURRENT_PARTS]) {
      expect(underWay()).toBe(expected);
      server.transfers.find(({ number }) => !server.parts.has(number))?.arrive();
      await quiet();
    }
  });

  it("counts bytes that have arrived or are in flight, and never more than the total", async () => {
    const { server, uploader, clock } = setUp();
    server.manual = true;
    void uploader.run();
    await quiet();
    server.transfers[0]?.arrive();
    await quiet();
    server.transfers[1]?.progress(99);
    server.transfers[2]?.progress(4);
    await clock.pass(100);
    expect(uploader.snapshot().sentBytes).toBe(TEXT.length);
    server.transfers[1]?.progress(5);
    await clock.pass(100);
    expect(uploader.snapshot().sentBytes).toBe(PART + 5 + 4);
  });

  it("waits for a hash only briefly, and not at all when resuming", async () => {
    const slow = setUp({ sha256: new Promise(() => undefined) });
    const run = slow.uploader.run();
    await slow.clock.pass(2_999);
    expect(slow.server.calls).toEqual([]);
    await slow.clock.pass(1);
    expect((await run).status).toBe("done");

    const server = new TestServer();
    Object.assign(server, { known: true, size: TEXT.length });
    const resumed = setUp({ server, remembered: UPLOAD, sha256: new Promise(() => undefined) });
    expect((await resumed.uploader.run()).status).toBe("done");
    expect(server.calls).not.toContain("create");
  });

  it("reports the speed and the remaining time", async () => {
    const text = "x".repeat(1_000 * PART);
    const { server, uploader, clock } = setUp({ text });
    server.manual = true;
    void uploader.run();
    await quiet();
    for (let i = 0; i < 20; i += 1) {
      const { sentBytes, bytesPerSecond } = uploader.snapshot();
      if (i < 4) expect(bytesPerSecond).toBeNull();
      expect(sentBytes).toBeLessThan(text.length);
      const oldest = server.transfers.find(({ number }) => !server.parts.has(number));
      oldest?.progress(PART);
      oldest?.arrive();
      await quiet();
      await clock.pass(250);
    }
    const { bytesPerSecond, secondsLeft, sentBytes } = uploader.snapshot();
    expect(bytesPerSecond).toBeGreaterThan(30);
    expect(bytesPerSecond).toBeLessThan(50);
    expect(secondsLeft).toBeCloseTo((text.length - sentBytes) / (bytesPerSecond as number), 5);
  });

  it("retries a part with growing delays until the server is back", async () => {
    const { server, uploader, clock, phase } = setUp({ text: "0123456789" });
    server.failures["part 1"] = Array.from({ length: 12 }, NETWORK);
    const run = uploader.run();
    await quiet();
    expect(phase()).toBe("waiting");
    expect(uploader.snapshot().retryAt).toBe(clock.now() + 1_000);
    await clock.pass(999);
    await quiet();
    expect(server.transfers).toHaveLength(1);
    await clock.pass(1);
    await quiet();
    expect(server.transfers).toHaveLength(2);
    expect(uploader.snapshot().retryAt).toBe(clock.now() + 2_000);
    for (let i = 0; i < 11; i += 1) {
      await clock.pass(30_000);
      await quiet();
    }
    expect((await run).status).toBe("done");
    expect(server.content).toBe("0123456789");
  });

  it("retries immediately on resume", async () => {
    const { server, uploader, phase } = setUp({ text: "0123456789" });
    server.failures["part 1"] = [NETWORK(), NETWORK()];
    const run = uploader.run();
    await quiet();
    uploader.resume();
    await quiet();
    expect(phase()).toBe("waiting");
    uploader.resume();
    expect((await run).status).toBe("done");
  });

  it("fails if the server keeps failing, and keeps the arrived parts for another run", async () => {
    const { server, uploader, clock, memory } = setUp();
    server.failures["part 2"] = Array.from({ length: 9 }, () => failure("unexpected", 500));
    const run = uploader.run();
    for (let i = 0; i < 9; i += 1) {
      await quiet();
      await clock.pass(30_000);
    }
    expect(await run).toMatchObject({ status: "failed", problem: { code: "unexpected", status: 500 } });
    expect(uploader.snapshot().phase).toBe("failed");
    expect(memory.uploadId).toBe(UPLOAD);

    const again = setUp({ server, remembered: UPLOAD });
    server.transfers.length = 0;
    expect((await again.uploader.run()).status).toBe("done");
    expect(server.transfers.map(({ number }) => number)).toEqual([2]);
    expect(server.content).toBe(TEXT);
  });

  it("waits as long as a rate limit requires", async () => {
    const { server, uploader, clock } = setUp({ text: "0123456789" });
    server.failures.create = [failure("rate_limited", 429, { retryAfter: 42 })];
    void uploader.run();
    await quiet();
    expect(uploader.snapshot()).toMatchObject({ phase: "waiting", retryAt: clock.now() + 42_000 });
  });

  it("stops without a network and continues automatically", async () => {
    const { server, uploader, network, phase } = setUp();
    server.manual = true;
    const run = uploader.run();
    await quiet();
    server.transfers[0]?.arrive();
    await quiet();
    network.set(false);
    await quiet();
    expect(phase()).toBe("offline");
    expect(server.transfers.slice(1).every(({ aborted }) => aborted)).toBe(true);
    const sent = server.transfers.length;
    await quiet();
    expect(server.transfers).toHaveLength(sent);

    server.manual = false;
    network.set(true);
    expect((await run).status).toBe("done");
    expect(server.content).toBe(TEXT);
    expect(server.transfers.filter(({ number }) => number === 1)).toHaveLength(1);
  });

  it("does not continue when the network returns during a pause", async () => {
    const { server, uploader, network, phase } = setUp();
    server.manual = true;
    void uploader.run();
    await quiet();
    uploader.pause();
    await quiet();
    expect(server.transfers.every(({ aborted }) => aborted)).toBe(true);
    expect(uploader.snapshot()).toMatchObject({ phase: "paused", sentBytes: 0, secondsLeft: null });
    network.set(false);
    network.set(true);
    await quiet();
    expect(phase()).toBe("paused");
    expect(server.transfers).toHaveLength(2);
    uploader.resume();
    await quiet();
    expect(phase()).toBe("uploading");
    expect(server.transfers).toHaveLength(4);
  });

  it("waits for the network before the first request", async () => {
    const { server, uploader, network, phase } = setUp();
    network.set(false);
    const run = uploader.run();
    await quiet();
    expect(phase()).toBe("offline");
    expect(server.calls).toEqual([]);
    network.set(true);
    expect((await run).status).toBe("done");
  });

  it("sends only the missing parts after a reload", async () => {
    const server = new TestServer();
    const first = setUp({ server });
    server.manual = true;
    void first.uploader.run();
    await quiet();
    server.transfers[0]?.arrive();
    await quiet();
    server.transfers[2]?.arrive();
    await quiet();
    first.uploader.leave();
    await quiet();
    expect(first.memory.uploadId).toBe(UPLOAD);
    expect(server.calls).not.toContain("abort");

    server.manual = false;
    server.transfers.length = 0;
    const second = setUp({ server, remembered: UPLOAD });
    expect((await second.uploader.run()).status).toBe("done");
    expect(server.transfers.map(({ number }) => number)).toEqual([2, 4, 5, 6, 7]);
    expect(second.uploader.snapshot().resumedBytes).toBe(2 * PART);
    expect(server.content).toBe(TEXT);
    expect(server.calls.filter((call) => call === "create")).toHaveLength(1);
  });

  it("uses an earlier upload that is complete", async () => {
    const server = new TestServer();
    Object.assign(server, { known: true, size: TEXT.length, completed: "finished" });
    const { uploader } = setUp({ server, remembered: UPLOAD });
    expect(await uploader.run()).toEqual({ status: "done", fileId: "finished", reused: false });
    expect(server.calls).toEqual(["state"]);
  });

  it("starts again if the server does not know the upload, or knows it with another size", async () => {
    for (const known of [false, true]) {
      const server = new TestServer();
      Object.assign(server, { known, size: 12 });
      const { uploader } = setUp({ server, remembered: UPLOAD });
      expect((await uploader.run()).status).toBe("done");
      expect(server.calls.slice(0, 2)).toEqual(["state", "create"]);
      expect(server.content).toBe(TEXT);
    }
  });

  it("requests new URLs if the store rejects the old ones", async () => {
    const { server, uploader } = setUp();
    server.failures["part 3"] = [failure("unexpected", 403)];
    server.failures["part 4"] = [failure("unexpected", 403)];
    const run = uploader.run();
    server.urls = "v2";
    expect((await run).status).toBe("done");
    expect(server.calls).toContain("state");
    expect(server.transfers.at(-1)?.url).toMatch(/^v2/);
    expect(server.content).toBe(TEXT);
  });

  it("requests the entity tags that the store hides from pages", async () => {
    const { server, uploader } = setUp();
    server.hidesTags = true;
    expect((await uploader.run()).status).toBe("done");
    expect(server.calls.slice(-2)).toEqual(["state", "complete"]);
    expect(server.content).toBe(TEXT);
  });

  it("fails if new URLs do not help", async () => {
    const { server, uploader } = setUp({ text: "0123456789" });
    server.failures["part 1"] = Array.from({ length: 50 }, () => failure("unexpected", 403));
    expect(await uploader.run()).toMatchObject({ status: "failed", problem: { status: 403 } });
    expect(server.calls.filter((call) => call === "state")).toHaveLength(3);
  });

  it("sends the parts that the server reports as missing on completion", async () => {
    const { server, uploader } = setUp();
    const refusal = failure("validation_failed", 422, {
      errors: [{ path: "parts", code: "uploadParts", message: "" }],
    });
    server.failures.complete = [refusal];
    const { complete } = server.transport;
    server.transport.complete = (...parameters) => {
      if (server.failures.complete?.length) server.parts.delete(5);
      return complete(...parameters);
    };
    expect((await uploader.run()).status).toBe("done");
    expect(server.content).toBe(TEXT);
    expect(server.transfers.filter(({ number }) => number === 5)).toHaveLength(2);
  });

  it("sends all parts again if the store lost them while it joined them", async () => {
    const { server, uploader, clock } = setUp();
    const refusal = failure("validation_failed", 422, {
      errors: [{ path: "parts", code: "uploadParts", message: "" }],
    });
    server.failures.complete = [failure("storage_unavailable", 503), refusal];
    const { complete } = server.transport;
    server.transport.complete = (...parameters) => {
      if (server.failures.complete?.length === 1) server.parts.clear();
      return complete(...parameters);
    };
    const run = uploader.run();
    await quiet();
    await clock.pass(1_000);
    await quiet();
    expect((await run).status).toBe("done");
    expect(server.content).toBe(TEXT);
    expect(server.transfers).toHaveLength(14);
    expect(server.calls.filter((call) => call === "create")).toHaveLength(1);
  });

  it("begins another upload if the one that it completes is not known any more", async () => {
    // An instance of an earlier version answers so, during an update, about an upload whose parts a newer one joins.
    const { server, uploader, memory } = setUp();
    server.failures.complete = [failure("not_found", 404)];
    server.failures.state = [failure("not_found", 404)];
    expect((await uploader.run()).status).toBe("done");
    expect(server.content).toBe(TEXT);
    expect(server.calls.filter((call) => call === "create")).toHaveLength(2);
    expect(memory.uploadId).not.toBeNull();
  });

  it("does not send a file again whose bytes changed in transit", async () => {
    const { server, uploader, memory } = setUp();
    server.failures.complete = [
      failure("validation_failed", 422, { errors: [{ path: "sha256", code: "checksumMismatch", message: "" }] }),
    ];
    expect(await uploader.run()).toMatchObject({ status: "failed", problem: { code: "checksum_mismatch" } });
    expect(memory.uploadId).toBeNull();
    expect(server.calls.filter((call) => call === "create")).toHaveLength(1);
  });

  it("completes again if the response was lost", async () => {
    const { server, uploader, clock } = setUp();
    server.failures.complete = [NETWORK()];
    const run = uploader.run();
    await quiet();
    await clock.pass(1_000);
    expect((await run).status).toBe("done");
    expect(server.calls.filter((call) => call === "complete")).toHaveLength(2);
  });

  it("aborts all transfers at the first failure that the user has to resolve", async () => {
    const { server, uploader } = setUp();
    server.manual = true;
    const run = uploader.run();
    await quiet();
    server.transfers[1]?.fail(failure("session_expired", 401));
    expect(await run).toMatchObject({ status: "failed", problem: { code: "session_expired" } });
    expect(server.transfers[0]?.aborted).toBe(true);
    expect(server.calls).not.toContain("complete");
  });

  it("reports that the file can no longer be read", async () => {
    const { server, uploader } = setUp();
    server.manual = true;
    const run = uploader.run();
    await quiet();
    server.transfers[0]?.fail(new FileUnreadableError());
    expect(await run).toEqual({ status: "failed", problem: "file_unreadable" });
  });

  it("aborts the upload on the server when it is canceled", async () => {
    const { server, uploader, memory, phase } = setUp();
    server.manual = true;
    const run = uploader.run();
    await quiet();
    uploader.cancel();
    expect(await run).toEqual({ status: "cancelled" });
    expect(phase()).toBe("cancelled");
    expect(server.transfers.every(({ aborted }) => aborted)).toBe(true);
    expect(server.calls.at(-1)).toBe("abort");
    expect(memory.uploadId).toBeNull();
  });

  it("can be canceled while the file is hashed, during a pause and during a retry delay", async () => {
    const hashing = setUp({ sha256: new Promise(() => undefined) });
    const hashingRun = hashing.uploader.run();
    hashing.uploader.cancel();
    expect((await hashingRun).status).toBe("cancelled");
    expect(hashing.server.calls).toEqual([]);

    const paused = setUp();
    const pausedRun = paused.uploader.run();
    paused.uploader.pause();
    await quiet();
    paused.uploader.cancel();
    expect((await pausedRun).status).toBe("cancelled");

    const waiting = setUp();
    waiting.server.failures.create = [NETWORK()];
    const waitingRun = waiting.uploader.run();
    await quiet();
    expect(waiting.phase()).toBe("waiting");
    waiting.uploader.cancel();
    expect((await waitingRun).status).toBe("cancelled");
  });

  it("returns the same snapshot until something changes", async () => {
    const { uploader, server } = setUp();
    server.manual = true;
    void uploader.run();
    await quiet();
    expect(uploader.snapshot()).toBe(uploader.snapshot());
  });
});
