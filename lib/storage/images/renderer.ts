import "server-only";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import { join } from "node:path";
import { ApiError } from "@/lib/kernel/errors";
import { log } from "@/lib/kernel/log";
import { FairQueue, QueueFullError, type QueueLimits } from "./fair-queue";
import type { Answer, Drawing } from "./render-process.mjs";

/** Why an image was not drawn: it cannot be read, or the process that drew it was killed. */
export class ImageError extends Error {
  override readonly name = "ImageError";
  readonly reason: "unreadable" | "killed";

  constructor(reason: ImageError["reason"], options?: ErrorOptions) {
    super(`image: ${reason}`, options);
    this.reason = reason;
  }
}

/** Who an image is drawn for. */
export interface ImageCaller {
  /** Images of different callers are drawn in turns. */
  id: string;
  /** Aborted when nobody waits for the image any more. */
  signal?: AbortSignal;
}

export interface RendererOptions {
  /** The program of the process; an absolute path. */
  program: string;
  /** How many images may wait. */
  queue: QueueLimits;
  /** What starting the process may take. */
  startTimeoutMs: number;
  /** What drawing one image may take. */
  drawTimeoutMs: number;
  /** A process that has drawn nothing for this long is ended. */
  idleTimeoutMs: number;
}

const DEFAULTS: RendererOptions = {
  // Below the project's folder, or the built server's, where `next.config.ts` puts it.
  program: join(process.cwd(), "lib", "storage", "images", "render-process.mjs"),
  queue: { total: 64, perCaller: 16 },
  startTimeoutMs: 10_000,
  drawTimeoutMs: 5_000,
  idleTimeoutMs: 60_000,
};

/** How much of what a process says of its failure is logged, in characters. */
const MAX_STDERR_LENGTH = 2_000;

/**
 * Draws images in a process of its own, one at a time, so that no image takes the server's threads, memory or time. The
 * process is killed where an image takes it too long or too much memory, and where its caller goes away.
 */
export class ImageRenderer {
  readonly #options: RendererOptions;
  readonly #queue: FairQueue;
  #process: RenderProcess | undefined;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(options: Partial<RendererOptions> = {}) {
    this.#options = { ...DEFAULTS, ...options };
    this.#queue = new FairQueue(this.#options.queue);
  }

  /**
   * @returns a PNG
   * @throws ImageError; ApiError unavailable where too many images wait, or no process starts
   */
  async draw(drawing: Drawing, { id, signal }: ImageCaller): Promise<Uint8Array> {
    try {
      return await this.#queue.run(id, () => this.#drawNow(drawing, signal), signal);
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
      if (answer.png === null) throw new ImageError("unreadable");
      return answer.png;
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

/** One run of the program. It keeps this process from nothing, and ends when this one does. */
class RenderProcess {
  readonly #child: ChildProcess;
  readonly #end = new AbortController();
  #stderr = "";

  constructor(program: string) {
    this.#child = fork(/*turbopackIgnore: true*/ program, {
      // None of the server's settings, which hold its secrets.
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

  /** How it ended; undefined while it runs. */
  get end(): Error | undefined {
    return this.#end.signal.reason;
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  /** Whether it came up within the time. */
  async isReady(timeoutMs: number): Promise<boolean> {
    return (await this.#message(timeoutMs)) !== undefined;
  }

  /** Draws an image; gives undefined where the process has ended before it was drawn. */
  draw(drawing: Drawing, timeoutMs: number, signal?: AbortSignal): Promise<Answer | undefined> {
    const answer = this.#message(timeoutMs, signal);
    this.#child.send(drawing);
    return answer as Promise<Answer | undefined>;
  }

  /** Its next message, or undefined once it has ended; kills it when the time is up or the signal aborts. */
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
