import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { projectDir } from "./files.mjs";

/** The file name of the command-line tool. */
export const CLI_FILE = "slipway.mjs";

/**
 * Bundles the command-line tool into one file that Node 20 runs without packages, and writes its SHA-256 beside it as
 * `sha256sum --check` reads it. The console serves both.
 *
 * @param {string} folder the output folder
 * @returns {Promise<string>} the path of the tool
 */
export async function bundleCli(folder) {
  const { version } = JSON.parse(readFileSync(join(projectDir, "package.json"), "utf8"));
  const result = await build({
    absWorkingDir: projectDir,
    entryPoints: [join("cli", "src", "main.ts")],
    bundle: true,
    write: false,
    minify: true,
    platform: "node",
    target: "node20.12",
    format: "esm",
    // Some packages have their CommonJS variant in a form that no bundler reads.
    mainFields: ["module", "main"],
    charset: "utf8",
    define: { SLIPWAY_VERSION: JSON.stringify(version) },
    banner: {
      // CommonJS packages load Node's built-in modules with `require`.
      js: '#!/usr/bin/env node\nimport { createRequire as __createRequire } from "node:module";\nconst require = __createRequire(import.meta.url);',
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
