#!/usr/bin/env node
// Downloads bundletool and the libraries that it needs from Maven Central, or from the mirror of it at MAVEN_MIRROR, through the proxy of
// HTTPS_PROXY. Each file has to have the SHA-256 of lib/bundles/bundletool.json.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import http from "node:http";
import { basename, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { projectDir } from "./lib/files.mjs";

const MAVEN_CENTRAL = "https://repo.maven.apache.org/maven2";
const TRIES = 3;
const PAUSE_MS = 500;
/** How long one file may take. */
const TIMEOUT_MS = 300_000;

const repository = (process.env.MAVEN_MIRROR || MAVEN_CENTRAL).replace(/\/+$/, "");
const folder = resolve(process.argv[2] ?? join(process.env.DATA_DIR ?? join(projectDir, ".data"), "bundletool"));
const { version, jars } = JSON.parse(readFileSync(join(projectDir, "lib", "bundles", "bundletool.json"), "utf8"));

/** @param {Uint8Array} bytes */
const sha256Of = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** The reason of a failed fetch, which has it in its cause. @param {unknown} error */
function reasonOf(error) {
  const { cause, message } = /** @type {Error} */ (error);
  return cause instanceof Error ? cause.message || String(/** @type {any} */ (cause).code) : message;
}

/**
 * @param {string} url
 * @returns {Promise<Uint8Array | string>} the file, or why it could not be loaded
 */
async function load(url) {
  let reason = "";
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    if (attempt > 1) await delay(PAUSE_MS * attempt);
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      if (response.ok) return new Uint8Array(await response.arrayBuffer());
      await response.body?.cancel();
      reason = `the answer is ${response.status}`;
      // The server has understood, and would answer the same.
      if (response.status < 500 && response.status !== 429) break;
    } catch (error) {
      reason = reasonOf(error);
    }
  }
  return reason;
}

/** @returns {Promise<string | undefined>} what is wrong, in one line */
async function download() {
  for (const { path, sha256 } of jars) {
    const file = join(folder, basename(path));
    if (existsSync(file) && sha256Of(readFileSync(file)) === sha256) continue;
    const url = `${repository}/${path}`;
    const bytes = await load(url);
    if (typeof bytes === "string") {
      return `${url} could not be loaded: ${bytes}. Behind a company's proxy, set HTTPS_PROXY, NODE_EXTRA_CA_CERTS (a file with its authority) or MAVEN_MIRROR (a mirror of Maven Central). Bundles are optional: an image with BUILD_BUNDLETOOL=off has no bundletool (docs/operations/company-network.md).`;
    }
    if (sha256Of(bytes) !== sha256) return `${url} has another SHA-256 than this version of the console expects.`;
    writeFileSync(`${file}.part`, bytes);
    renameSync(`${file}.part`, file);
  }
  return undefined;
}

// Node.js 24 reads the variables of proxies only if it is told to.
http.setGlobalProxyFromEnv?.();
mkdirSync(folder, { recursive: true });
const problem = await download();
if (problem === undefined) {
  console.log(`bundletool ${version} is in ${folder}.`);
} else {
  console.error(problem);
  process.exitCode = 1;
}
