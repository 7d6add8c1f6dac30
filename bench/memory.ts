import { readFileSync, writeFileSync } from "node:fs";

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
