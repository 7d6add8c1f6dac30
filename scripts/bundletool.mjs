#!/usr/bin/env node
// Downloads bundletool and the libraries that it needs from Maven Central. Each file has to have the SHA-256 of lib/bundles/bundletool.json.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { projectDir } from "./lib/files.mjs";

const REPOSITORY = "https://repo.maven.apache.org/maven2";
const folder = resolve(process.argv[2] ?? join(process.env.DATA_DIR ?? join(projectDir, ".data"), "bundletool"));
const { version, jars } = JSON.parse(readFileSync(join(projectDir, "lib", "bundles", "bundletool.json"), "utf8"));

/** @param {Uint8Array} bytes */
const sha256Of = (bytes) => createHash("sha256").update(bytes).digest("hex");

mkdirSync(folder, { recursive: true });
for (const { path, sha256 } of jars) {
  const file = join(folder, basename(path));
  if (existsSync(file) && sha256Of(readFileSync(file)) === sha256) continue;
  const response = await fetch(`${REPOSITORY}/${path}`);
  if (!response.ok) throw new Error(`${REPOSITORY}/${path} was answered with ${response.status}.`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (sha256Of(bytes) !== sha256)
    throw new Error(`${path} has another SHA-256 than this version of the console expects.`);
  writeFileSync(`${file}.part`, bytes);
  renameSync(`${file}.part`, file);
}
console.log(`bundletool ${version} is in ${folder}.`);
