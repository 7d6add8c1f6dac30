import { spawn, spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, BrowserContextOptions } from "@playwright/test";
import { startPostgres } from "../scripts/postgres.mjs";
import { median } from "./report.ts";

// What the benchmarks compare with, besides nginx, curl and psql.

/** A server of a few lines that sends the same bytes to every request. */
export interface BareServer {
  url: string;
  stop(): void;
}

const BARE_SERVER = `
const body = require("node:fs").readFileSync(process.argv[1]);
const headers = { "content-type": "text/html; charset=utf-8", "content-length": body.length, "cache-control": "no-store" };
const server = require("node:http").createServer((request, response) => response.writeHead(200, headers).end(body));
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
`;

/**
 * Starts a bare Node server in a process of its own.
 * @param folder for the file with the bytes
 */
export async function startBareServer(folder: string, html: string): Promise<BareServer> {
  const file = join(folder, "bare.html");
  await writeFile(file, html);
  const child = spawn(process.execPath, ["-e", BARE_SERVER, file], { stdio: ["ignore", "pipe", "inherit"] });
  const kill = () => void child.kill("SIGKILL");
  process.once("exit", kill);
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString().trim()));
    child.once("close", () => reject(new Error("the bare server exited")));
  });
  const stop = () => {
    process.off("exit", kill);
    kill();
  };
  return { url: `http://127.0.0.1:${port}/`, stop };
}

/** Measures how long Node takes to start and end, in milliseconds, as the median of some starts. */
export function nodeStart(starts: number): number {
  const times = Array.from({ length: starts + 1 }, () => {
    const begun = performance.now();
    spawnSync(process.execPath, ["-e", "0"]);
    return performance.now() - begun;
  });
  // The first one reads the program from disk.
  return median(times.slice(1));
}

/** Measures how long the embedded PostgreSQL of a data folder takes to start, in milliseconds. It is stopped again. */
export async function databaseStart(dataDir: string): Promise<number> {
  const begun = performance.now();
  const server = await startPostgres({ dataDir });
  const time = performance.now() - begun;
  await server.stop();
  return time;
}

/** The pages whose paint is measured are opened with a CPU that is so many times slower. */
export const CPU_SLOWDOWN = 4;

/**
 * Opens a page with an empty cache and a slower CPU.
 * @param cookie a Cookie header, for pages of signed-in people
 * @returns the time of a paint in milliseconds: the first one with content, or that of the largest element
 */
export async function paintOf(
  browser: Browser,
  url: string,
  { paint, cookie, ...options }: { paint: "first" | "largest"; cookie?: string } & BrowserContextOptions,
): Promise<number> {
  const context = await browser.newContext(options);
  try {
    if (cookie !== undefined) {
      const [name, value] = cookie.split("=") as [string, string];
      await context.addCookies([{ name, value, url }]);
    }
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
    // After the last request, the largest element has been painted.
    await page.goto(url, { waitUntil: "networkidle" });
    const type = paint === "first" ? "paint" : "largest-contentful-paint";
    return await page.evaluate(
      (type) =>
        new Promise<number>((resolve) => {
          new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? 0)).observe({
            type,
            buffered: true,
          });
        }),
      type,
    );
  } finally {
    await context.close();
  }
}
