import { readdirSync, readFileSync, writeFileSync } from "node:fs";

/** The length of a clock tick of the kernel, in milliseconds (`getconf CLK_TCK`, 100 on Linux). */
const TICK_MS = 10;

/** Reads a line of /proc/<pid>/status (proc_pid_status(5)). @returns bytes */
function fromStatus(pid: number, name: "VmRSS" | "VmHWM"): number {
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) * 1024;
}

/**
 * Measures the peak of a process's resident memory, without the page cache. The kernel records the peak itself, so no
 * short peak is missed.
 * @returns a function that returns the difference between the peak since this call and the value at this call, in bytes
 */
export function watchMemory(pid: number): () => number {
  // Writing 5 resets the peak to the current value (proc_pid_clear_refs(5)).
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
  const before = fromStatus(pid, "VmRSS");
  return () => fromStatus(pid, "VmHWM") - before;
}

/** Returns the resident memory of a process, in bytes. */
export function residentBytes(pid: number): number {
  return fromStatus(pid, "VmRSS");
}

/** Returns the peak of a process's resident memory since its start, in bytes. */
export function peakBytes(pid: number): number {
  return fromStatus(pid, "VmHWM");
}

/** Returns the processor time that a process has used, in milliseconds (proc_pid_stat(5)). */
export function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") as string[];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Returns the processor time that the threads of a process which still run have used, in milliseconds and without ticks of the clock. */
export function threadsMs(pid: number): number {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]),
  );
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6;
}

/** Returns the number of a process's open file descriptors. */
export function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}
