// Runs in the build of the image: fills a folder with the compiled code of the server and the commands (NODE_COMPILE_CACHE), which
// saves a third of the CPU time of a start. The folder's content depends on the version of Node, its options and the user.
// usage, in the folder of the server: node compile-cache.mjs FOLDER OPTION... server.mjs
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const TIMEOUT_MS = 300_000;

const [folder, ...serverCommand] = process.argv.slice(2);
if (folder === undefined || serverCommand.length === 0)
  throw new Error("usage: node compile-cache.mjs FOLDER OPTION... server.mjs");

const env = {
  ...process.env,
  NODE_COMPILE_CACHE: resolve(folder),
  APP_URL: "http://localhost:3000",
  STORAGE: "disk",
  DATA_DIR: mkdtempSync(join(tmpdir(), "slipway-compile-")),
  MASTER_KEY: randomBytes(32).toString("base64"),
  // Nothing listens there, so that the server is complete but waits.
  DATABASE_URL: "postgresql://slipway@127.0.0.1:1/slipway",
};

/**
 * @param {string[]} args of Node
 * @param {string} [lastLine] the program is told to stop once it has written this twice
 * @returns {Promise<{ code: number | null, output: string }>}
 */
async function run(args, lastLine) {
  const child = spawn(process.execPath, args, {
    env,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: TIMEOUT_MS,
    killSignal: "SIGKILL",
  });
  let output = "";
  let isTold = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
      // A second signal would end the server at once, without its cache.
      if (lastLine === undefined || isTold || output.split(lastLine).length < 3) return;
      isTold = true;
      child.kill("SIGTERM");
    });
  }
  const [code] = await once(child, "close");
  return { code, output };
}

for (const name of readdirSync("commands").filter((file) => /^[a-z-]+\.mjs$/.test(file))) {
  await run([join("commands", name), "--help"]);
}
// The server repeats it after 10 seconds, in which it has loaded the code of all pages.
const { code, output } = await run(serverCommand, "waiting for the database");
if (code !== 0) throw new Error(`the server ended with ${code}:\n${output}`);
