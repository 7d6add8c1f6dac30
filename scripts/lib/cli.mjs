import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { projectDir } from "./files.mjs";

/** The file name of the command-line tool. */
export const CLI_FILE = "slipway.mjs";

/**
 * The first lines of the tool.
 *
 * @param {string} oldest the oldest version of Node that runs it
 */
function bannerFor(oldest) {
  const [major, minor] = oldest.split(".").map(Number);
  return `#!/usr/bin/env node
import { createRequire } from "module";
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < ${major} || (major === ${major} && minor < ${minor})) {
  process.stderr.write("slipway needs Node.js ${oldest} or later. This is Node.js " + process.versions.node + ".\\n");
  process.exit(2);
}
const require = createRequire(import.meta.url);`;
}

/**
 * Bundles the command-line tool into one file that Node 20 runs without packages, and writes its SHA-256 beside it as
 * `sha256sum --check` reads it. The console serves both.
 *
 * @param {string} folder the output folder
 * @returns {Promise<string>} the path of the tool
 */
export async function bundleCli(folder) {
  const { version } = JSON.parse(readFileSync(join(projectDir, "package.json"), "utf8"));
  const { engines } = JSON.parse(readFileSync(join(projectDir, "cli", "package.json"), "utf8"));
  const result = await build({
    absWorkingDir: projectDir,
    entryPoints: [join("cli", "src", "main.ts")],
    bundle: true,
    write: false,
    minify: true,
    platform: "node",
    // Syntax that old versions parse, so that the banner can say what the tool needs.
    target: "node14.18",
    // Names that an old version of Node's modules lacks are found missing after the banner, not before.
    format: "cjs",
    // Some packages have their CommonJS variant in a form that no bundler reads.
    mainFields: ["module", "main"],
    charset: "utf8",
    define: { SLIPWAY_VERSION: JSON.stringify(version) },
    banner: {
      // CommonJS packages load Node's built-in modules with `require`.
      js: bannerFor(engines.node.replace(">=", "")),
    },
    legalComments: "none",
    logLevel: "error",
  });
  const [output] = result.outputFiles;
  if (!output) throw new Error("esbuild wrote no file");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, CLI_FILE);
  writeFileSync(file, output.contents, { mode: 0o755 });
  const sha256 = createHash("sha256").update(output.contents).digest("hex");
  writeFileSync(`${file}.sha256`, `${sha256}  ${CLI_FILE}\n`);
  return file;
}

/**
 * Writes everything that the console serves below `/cli`: the tool, its manual page and the integrations for CI systems.
 *
 * @param {string} folder the output folder
 */
export async function writeCliFiles(folder) {
  await bundleCli(folder);
  cpSync(join(projectDir, "cli", "slipway.1"), join(folder, "slipway.1"));
  cpSync(join(projectDir, "integrations"), folder, { recursive: true });
}
