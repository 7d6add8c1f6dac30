import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { bundleCli } from "@/scripts/lib/cli.mjs";

/** What a run of the tool wrote, and how it ended. */
export interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  env?: Record<string, string>;
  /** The working directory; by default an empty folder. */
  folder?: string;
  /** The Node.js that runs the tool; by default the one that runs the tests. */
  node?: string;
  /** Written to stdin, which is then closed. */
  input?: string;
  /** Receives the process and everything written to stderr so far, when it writes. */
  onStderr?(child: ChildProcess, text: string): void;
  /** As onStderr, for stdout. */
  onStdout?(child: ChildProcess, text: string): void;
  /** Leaves stdin open. */
  keepStdin?: boolean;
}

/** The bundled tool, with folders of its own that are removed after the tests. */
export interface Tool {
  /** The bundled file. */
  file: string;
  /** An empty folder. */
  folder: string;
  /** The folder with the tool's own files. */
  configuration: string;
  run(words: readonly string[], options?: RunOptions): Promise<Run>;
}

/** Bundles the tool before the tests of a file. */
export function setUpTool(): Tool {
  const root = mkdtempSync(join(tmpdir(), "slipway-cli-"));
  const tool: Tool = {
    file: join(root, "bin", "slipway.mjs"),
    folder: join(root, "project"),
    configuration: join(root, "configuration"),
    run: (words, options = {}) => {
      const env = {
        PATH: process.env.PATH ?? "",
        NODE_ENV: "production" as const,
        // A quarter of the processor time of a run is spent on compiling the tool.
        NODE_COMPILE_CACHE: join(root, "compiled"),
        LANG: "C.UTF-8",
        SLIPWAY_CONFIG_DIR: tool.configuration,
        ...options.env,
      };
      const child = spawn(options.node ?? process.execPath, [tool.file, ...words], {
        cwd: options.folder ?? tool.folder,
        env,
      });
      return collect(child, options);
    },
  };
  beforeAll(async () => {
    mkdirSync(tool.folder);
    // Keeps git from finding a repository in a folder above.
    writeFileSync(join(root, ".git"), "");
    await bundleCli(join(root, "bin"));
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  return tool;
}

/** The environment of a run whose clock is wrong by some hours. */
export function clockOffBy(hours: number): Record<string, string> {
  const program = `
    const Real = Date;
    globalThis.Date = class extends Real {
      constructor(...given) { super(...(given.length > 0 ? given : [Date.now()])); }
      static now() { return Real.now() + ${hours} * 3_600_000; }
    };`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}` };
}

/** A Node.js of an older version that the tool supports, or why there is none. */
export function olderNode(): string | Error {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/bin", "/usr/local/bin"];
  for (const file of folders.map((folder) => join(folder, "node"))) {
    try {
      const version = execFileSync(file, ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
      if (/^v2[0-3]\./.test(version)) return file;
    } catch {
      // There is none in this folder.
    }
  }
  return new Error("No Node.js from 20 to 23 is on this machine");
}

/** Waits for the end of a process. */
export function collect(child: ChildProcess, { input, onStderr, onStdout, keepStdin }: RunOptions = {}): Promise<Run> {
  return new Promise((resolve, reject) => {
    const run: Run = { code: null, stdout: "", stderr: "" };
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      run.stdout += text;
      onStdout?.(child, run.stdout);
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      run.stderr += text;
      onStderr?.(child, run.stderr);
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ ...run, code }));
    child.stdin?.on("error", () => undefined);
    if (!keepStdin) child.stdin?.end(input ?? "");
  });
}
