import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectDir } from "../../scripts/lib/files.mjs";

/** What can be wrong with the machine of a server. */
export interface Machine {
  /** Settings with which a server runs on it. */
  settings: { LD_PRELOAD: string; FAULTS_DIR: string };
  /** Sets the clock of the servers, in seconds from the true time. */
  setClock(seconds: number): void;
  /** Whether names are resolved. */
  setDns(works: boolean): void;
  /** How much longer each flush to the disk takes, in milliseconds. */
  setDisk(delayMs: number): void;
}

/**
 * Builds the library that injects faults between a process and the C library.
 * @returns null where there is no C compiler, or where programs are not linked dynamically
 */
export function machineWithFaults(): Machine | null {
  const folder = join(projectDir, ".test", "faults");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const library = join(folder, "preload.so");
  try {
    const source = join(projectDir, "torture", "faults", "preload.c");
    execFileSync("cc", ["-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], { stdio: "ignore" });
    const env = { LD_PRELOAD: library, FAULTS_DIR: folder };
    writeFileSync(join(folder, "clock"), "86400");
    const shifted = Number(execFileSync(process.execPath, ["-p", "Date.now()"], { env: { ...process.env, ...env } }));
    if (Math.abs(shifted - Date.now() - 86_400_000) > 60_000) return null;
    const set = (name: string, value: number) =>
      value === 0 ? rmSync(join(folder, name), { force: true }) : writeFileSync(join(folder, name), String(value));
    set("clock", 0);
    return {
      settings: env,
      setClock: (seconds) => set("clock", seconds),
      setDns: (works) => set("dns", works ? 0 : 1),
      setDisk: (delayMs) => set("slow", delayMs),
    };
  } catch {
    return null;
  }
}
