import "server-only";
import { spawn } from "node:child_process";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** The end of the output that is kept, in characters. */
const MAX_OUTPUT = 20_000;
const CHECK_INTERVAL_MS = 250;

/** What a process may use. */
interface ProcessLimits {
  timeoutMs: number;
  /** Of the process and its children together. */
  memoryBytes: number;
  /** Of the folder in which it works. */
  diskBytes: number;
}

type ExceededLimit = "time" | "memory" | "disk";

/** How a process ended. */
interface ProcessEnd {
  code: number | null;
  /** The limit for which it was killed; null if it ended by itself. */
  exceeded: ExceededLimit | null;
  /** The end of what it wrote. */
  output: string;
}

/** Bytes of memory of the processes of a group, as far as the system tells (Linux). */
async function groupMemory(group: number): Promise<number> {
  const names = await readdir("/proc").catch(() => []);
  let sum = 0;
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue;
    const line = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    // The name of the program, in brackets, may contain spaces. After it: state, parent, group, …, and as the 22nd the resident pages.
    const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
    if (Number(fields[2]) === group) sum += Number(fields[21]) * 4096;
  }
  return sum;
}

async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      stat(join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      ),
    );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/**
 * Runs a program in a group of processes of its own, which is killed when it exceeds a limit or the signal aborts. It inherits
 * nothing of the environment, which has secrets.
 * @param folder its working directory, in which it writes
 * @throws the signal's reason; an error if the program does not start
 */
export async function runLimited(
  program: string,
  args: readonly string[],
  { folder, limits, signal }: { folder: string; limits: ProcessLimits; signal: AbortSignal },
): Promise<ProcessEnd> {
  signal.throwIfAborted();
  const child = spawn(program, args, {
    cwd: folder,
    env: { HOME: folder, TMPDIR: folder, LANG: "C.UTF-8", NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  let exceeded: ExceededLimit | null = null;
  const kill = () => {
    // The group outlives the process if a child does.
    if (child.pid !== undefined) tryKill(-child.pid);
  };
  const stopFor = (limit: ExceededLimit) => {
    exceeded ??= limit;
    kill();
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-MAX_OUTPUT);
    });
  }
  const timer = setTimeout(() => stopFor("time"), limits.timeoutMs);
  let isChecking = false;
  const checks = setInterval(async () => {
    if (isChecking || child.pid === undefined) return;
    isChecking = true;
    if ((await groupMemory(child.pid)) > limits.memoryBytes) stopFor("memory");
    else if ((await folderBytes(folder)) > limits.diskBytes) stopFor("disk");
    isChecking = false;
  }, CHECK_INTERVAL_MS);
  signal.addEventListener("abort", kill, { once: true });
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    signal.throwIfAborted();
    return { code, exceeded, output };
  } finally {
    clearTimeout(timer);
    clearInterval(checks);
    signal.removeEventListener("abort", kill);
    kill();
  }
}

function tryKill(group: number): void {
  try {
    process.kill(group, "SIGKILL");
  } catch {
    // It has ended.
  }
}
