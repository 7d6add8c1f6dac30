import "server-only";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import { join } from "node:path";
import { ApiError } from "@/lib/kernel/errors";
import { FairQueue, QueueFullError, type QueueLimits } from "@/lib/kernel/fair-queue";
import { log } from "@/lib/kernel/log";
import { aside } from "@/lib/kernel/turns";
import type { Answer, Drawing } from "./render-process.mjs";

/** The image cannot be read, or the process that drew it was killed. */
export class ImageError extends Error {
  override readonly name = "ImageError";
  readonly reason: "unreadable" | "killed";

  constructor(reason: ImageError["reason"], options?: ErrorOptions) {
    super(`image: ${reason}`, options);
    this.reason = reason;
  }
}

/**
 * Lanes take turns. A lane delays another one by at most one image. Uploads of logos and avatars, which need no
 * permission, and screenshots of people without an account therefore do not block the publication or installation of
 * releases.
 */
const LANES = ["upload", "release", "install", "screenshot"] as const;
export type ImageLane = (typeof LANES)[number];

export interface ImageCaller {
  /** What the image is drawn for. */
  lane: ImageLane;
  /** The images of different callers in a lane are drawn in turns. */
  id: string;
  /** Aborted when the caller no longer waits for the image. */
  signal?: AbortSignal;
}

export interface RendererOptions {
  /** The absolute path of the program. */
  program: string;
  /** Of each lane. */
  queue: Omit<QueueLimits, "running">;
  startTimeoutMs: number;
  /** For one image. */
  drawTimeoutMs: number;
  /** The process is killed when it has drawn nothing for this time. */
  idleTimeoutMs: number;
}

const DEFAULTS: RendererOptions = {
  // Relative to the project, and to the built server, to which `next.config.ts` adds it.
  program: join(process.cwd(), "lib", "storage", "images", "render-process.mjs"),
  queue: { waiting: 64, waitingPerCaller: 16 },
  startTimeoutMs: 10_000,
  drawTimeoutMs: 5_000,
  idleTimeoutMs: 60_000,
};

/** The end of the standard error that is logged, in characters. */
const MAX_STDERR_LENGTH = 2_000;

/**
 * Draws images in a child process, one at a time. The process is killed when an image takes too long or too much memory, or
 * when its caller disconnects.
 */
export class ImageRenderer {
  readonly #options: RendererOptions;
  readonly #queues: Record<ImageLane, FairQueue>;
  readonly #turns = new FairQueue({ running: 1, waiting: LANES.length, waitingPerCaller: 1 });
  #process: RenderProcess | undefined;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(options: Partial<RendererOptions> = {}) {
    this.#options = { ...DEFAULTS, ...options };
    const aQueue = () => new FairQueue({ ...this.#options.queue, running: 1 });
    this.#queues = { upload: aQueue(), release: aQueue(), install: aQueue(), screenshot: aQueue() };
  }

  /**
   * @returns a PNG, or a WebP of a screenshot
   * @throws ImageError; ApiError unavailable if the queue is full or the process does not start
   */
  async draw(drawing: Drawing, { lane, id, signal }: ImageCaller): Promise<Uint8Array> {
    try {
      const drawInTurn = () => this.#turns.run(lane, () => this.#drawNow(drawing, signal), signal);
      return await aside(() => this.#queues[lane].run(id, drawInTurn, signal));
    } catch (error) {
      if (signal?.aborted) throw new ImageError("killed", { cause: error });
      if (error instanceof ImageError && error.reason === "killed") {
        log.warn({ err: error, caller: id }, "the process that drew an image was killed");
      }
      if (!(error instanceof QueueFullError)) throw error;
      throw new ApiError("unavailable", { cause: error, retryAfter: 5, detailKey: "detailImages" });
    }
  }

  async #drawNow(drawing: Drawing, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const { drawTimeoutMs, idleTimeoutMs } = this.#options;
    clearTimeout(this.#idleTimer);
    const process = await this.#startedProcess();
    try {
      signal?.throwIfAborted();
      const answer = await process.draw(drawing, drawTimeoutMs, signal);
      if (answer === undefined) throw new ImageError("killed", { cause: process.end });
      if (answer.drawn === null) throw new ImageError("unreadable");
      return answer.drawn;
    } finally {
      this.#idleTimer = setTimeout(() => this.#endProcess(), idleTimeoutMs).unref();
    }
  }

  #endProcess(): void {
    this.#process?.kill();
    this.#process = undefined;
  }

  async #startedProcess(): Promise<RenderProcess> {
    if (this.#process && !this.#process.end) return this.#process;
    const process = new RenderProcess(this.#options.program);
    if (!(await process.isReady(this.#options.startTimeoutMs))) {
      throw new ApiError("unavailable", { cause: process.end, retryAfter: 5, detailKey: "detailImages" });
    }
    this.#process = process;
    return process;
  }
}

/** A run of the program. It does not keep the server from exiting, and ends when the server ends. */
class RenderProcess {
  readonly #child: ChildProcess;
  readonly #end = new AbortController();
  #stderr = "";

  constructor(program: string) {
    this.#child = fork(/*turbopackIgnore: true*/ program, {
      // The environment of the server contains secrets.
      env: { NODE_ENV: "production" },
      execArgv: [],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    const stderr = this.#child.stderr as Socket;
    stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-MAX_STDERR_LENGTH);
    });
    this.#child.once("close", (code, signal) => {
      this.#end.abort(new Error(`${program} ended with ${signal ?? `exit code ${code}`}: ${this.#stderr}`));
    });
    this.#child.on("error", (error) => {
      this.kill();
      this.#end.abort(error);
    });
    stderr.unref();
    this.#child.channel?.unref();
    this.#child.unref();
  }

  /** The reason why it ended; undefined while it runs. */
  get end(): Error | undefined {
    return this.#end.signal.reason;
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  /** Whether it started within the time. */
  async isReady(timeoutMs: number): Promise<boolean> {
    return (await this.#message(timeoutMs)) !== undefined;
  }

  /** Draws an image. @returns undefined if the process ended first */
  draw(drawing: Drawing, timeoutMs: number, signal?: AbortSignal): Promise<Answer | undefined> {
    const answer = this.#message(timeoutMs, signal);
    this.#child.send(drawing);
    return answer as Promise<Answer | undefined>;
  }

  /** The next message, or undefined when the process ends. Kills it after the timeout and when the signal aborts. */
  async #message(timeoutMs: number, signal?: AbortSignal): Promise<unknown> {
    const kill = () => this.kill();
    const timer = setTimeout(kill, timeoutMs);
    signal?.addEventListener("abort", kill);
    try {
      const [message] = await once(this.#child, "message", { signal: this.#end.signal });
      return message;
    } catch {
      return undefined;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", kill);
    }
  }
}
