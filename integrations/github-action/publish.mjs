// Publishes a build with the command-line tool that the console serves, after a check of the tool's SHA-256. The inputs are
// environment variables: SLIPWAY_<INPUT>, or INPUT_<INPUT> in an action of GitHub.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import * as http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

const USAGE = 2;
const UNREACHABLE = 3;
const PROXY_HINT =
  " The proxy is not used: use Node.js 24.14 or later, or from Node.js 24 on set NODE_USE_ENV_PROXY to 1.";

const environment = { ...process.env };
for (const [name, value] of Object.entries(process.env)) {
  const isInput = process.env.GITHUB_ACTIONS === "true" && name.startsWith("INPUT_");
  if (isInput && value) environment["SLIPWAY_".concat(name.slice("INPUT_".length).replaceAll("-", "_"))] = value;
}

/** @returns {never} */
function fail(exitCode, ...words) {
  process.stderr.write(words.join("").concat("\n"));
  process.exit(exitCode);
}

async function get(path) {
  const url = new URL(path, origin);
  try {
    const response = await fetch(url, { redirect: "manual" });
    if (response.ok) return Buffer.from(await response.arrayBuffer());
    await response.body?.cancel();
    return fail(UNREACHABLE, url.href, " is answered with status ", response.status, ". Check the console's address.");
  } catch (error) {
    const { code, message } = error.cause ?? error;
    return fail(UNREACHABLE, origin, " cannot be reached: ", code ?? message, ".", isProxyIgnored ? PROXY_HINT : "");
  }
}

if (Number(process.versions.node.split(".")[0]) < 20) {
  fail(USAGE, "Node.js 20.12 or later is needed. This is Node.js ", process.versions.node, ".");
}
const address = environment.SLIPWAY_CONSOLE ?? "";
if (!/^https?:\/\//.test(address) || !URL.canParse(address)) {
  fail(USAGE, "The input console is not a URL such as https://slipway.example.com.");
}
const { origin } = new URL(address);
// Before Node 24.14, fetch uses proxies only if NODE_USE_ENV_PROXY is set when the process starts.
const hasProxy = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"].some((name) => process.env[name]);
const isProxyIgnored = hasProxy && !http.setGlobalProxyFromEnv && process.env.NODE_USE_ENV_PROXY !== "1";
http.setGlobalProxyFromEnv?.();

const tool = await get("/cli/slipway.mjs");
const expected = environment.SLIPWAY_TOOL_SHA256 || String(await get("/cli/slipway.mjs.sha256")).slice(0, 64);
const sha256 = createHash("sha256").update(tool).digest("hex");
if (sha256 !== expected.toLowerCase()) {
  fail(UNREACHABLE, "The SHA-256 of the tool that ", origin, " serves is ", sha256, " instead of ", expected, ".");
}

const folder = mkdtempSync(join(tmpdir(), "slipway-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, "slipway.mjs");
writeFileSync(file, tool);
const child = spawn(process.execPath, [file, "upload"], { env: environment, stdio: ["ignore", "inherit", "inherit"] });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("close", (code) => process.exit(code ?? 1));
