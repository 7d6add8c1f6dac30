import type { UploadSnapshot } from "@/lib/client/upload/uploader";
import type { Context } from "./context";
import { type Symbols, size } from "./terminal";

/** The share of the transfer between two lines of a log, in percent. */
const LOG_STEP = 25;
const BAR_WIDTH = 24;
/** A log repeats what is waited for after this time. */
const REPEAT_MS = 60_000;
const CLEAR_LINE = "\r\u001b[2K";

/** Seconds as "0:07", "12:30" or "1:02:03". */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (value: number) => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

const WAITING: Partial<Record<UploadSnapshot["phase"], string>> = {
  preparing: "Preparing",
  finishing: "Joining the parts",
  waiting: "Waiting for the server",
  offline: "Waiting for the network",
};

type ProgressState = Pick<UploadSnapshot, "phase" | "sentBytes" | "totalBytes" | "bytesPerSecond" | "secondsLeft">;

/** One line of progress that fits the terminal: what matters less is left out first. */
export function progressLine(state: ProgressState, columns: number, symbols: Symbols): string {
  const share = state.totalBytes > 0 ? state.sentBytes / state.totalBytes : 1;
  const percent = `${String(Math.floor(share * 100)).padStart(3)} %`;
  const filled = Math.round(share * BAR_WIDTH);
  const bar = symbols.bar.full.repeat(filled) + symbols.bar.empty.repeat(BAR_WIDTH - filled);
  const words = WAITING[state.phase];
  const speed = words ?? (state.bytesPerSecond === null ? "" : `${size(state.bytesPerSecond)}/s`);
  const left = state.secondsLeft === null ? "" : `${clock(state.secondsLeft)} left`;
  const amount = `${size(state.sentBytes)} of ${size(state.totalBytes)}`;
  const choices = [
    [percent, bar, amount, speed, left],
    [percent, bar, speed, left],
    [percent, speed, left],
    [percent, left],
    [percent],
  ].map((parts) => parts.filter(Boolean).join("  "));
  return choices.find((line) => line.length < columns) ?? percent;
}

/** Says what is waited for: once, and again once a minute while it goes on or comes back. */
export class WaitingLog {
  readonly #said = new Map<string, number>();
  readonly #say: (text: string) => void;
  readonly #now: () => number;

  /** @param now milliseconds of a monotonic clock */
  constructor(say: (text: string) => void, now = () => performance.now()) {
    this.#say = say;
    this.#now = now;
  }

  say(text: string): void {
    const last = this.#said.get(text);
    if (last !== undefined && this.#now() - last < REPEAT_MS) return;
    this.#said.set(text, this.#now());
    this.#say(text);
  }
}

/** Shows the progress of a transfer: a line that changes in a terminal, a few lines in a log. */
export class Progress {
  readonly #context: Context;
  readonly #verb: string;
  #logged = 0;
  #shown = "";
  readonly #waiting: WaitingLog;

  constructor(context: Context, verb: "sent" | "received" = "sent", now?: () => number) {
    this.#context = context;
    this.#verb = verb;
    this.#waiting = new WaitingLog((text) => context.err.write(`${text} ...\n`), now);
  }

  /** Says something above the progress. */
  say(text: string): void {
    this.end();
    this.#context.err.say(text);
  }

  update(state: ProgressState): void {
    const { err, symbols } = this.#context;
    if (err.isTTY) {
      const line = progressLine(state, err.columns, symbols);
      if (line === this.#shown) return;
      this.#shown = line;
      err.write(`${CLEAR_LINE}${line}`);
      return;
    }
    const percent = state.totalBytes > 0 ? (state.sentBytes / state.totalBytes) * 100 : 100;
    const step = Math.floor(percent / LOG_STEP) * LOG_STEP;
    const isSending = state.phase === "uploading" || state.phase === "finishing";
    if (isSending && step > this.#logged) err.write(`${step} % of ${size(state.totalBytes)} ${this.#verb}\n`);
    this.#logged = Math.max(step, this.#logged);
    const words = WAITING[state.phase];
    if (words && state.phase !== "preparing") this.#waiting.say(words);
  }

  /** Removes the line. */
  end(): void {
    if (this.#shown) this.#context.err.write(CLEAR_LINE);
    this.#shown = "";
  }
}
