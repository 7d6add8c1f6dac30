import { readFileSync, writeFileSync } from "node:fs";

/** A line of /proc/<pid>/status in bytes. */
function fromStatus(pid: number, name: "VmRSS" | "VmHWM"): number {
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) * 1024;
}

/**
 * Watches the memory that a process has resident (with its libraries, without the page cache of the files it writes).
 * The kernel keeps the highest value itself, so that no moment between two looks is missed.
 * @returns how to learn by how much it has grown at most since now, in bytes
 */
export function watchMemory(pid: number): () => number {
  // See proc_pid_clear_refs(5): sets the high-water mark to what is resident now.
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
  const before = fromStatus(pid, "VmRSS");
  return () => fromStatus(pid, "VmHWM") - before;
}
