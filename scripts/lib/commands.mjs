import { join } from "node:path";
import { build } from "esbuild";
import { projectDir } from "./files.mjs";

/** The maintenance commands of the container image, which has neither npm nor the sources. */
export const commands = [
  "admin",
  "audit",
  "backup",
  "doctor",
  "health",
  "keys",
  "restore",
  "signing-key",
  "store",
  "sweep",
];

/**
 * Bundles each command into a file that Node runs without packages.
 *
 * @param {string} folder the output folder
 */
export async function bundleCommands(folder) {
  await build({
    absWorkingDir: projectDir,
    entryPoints: commands.map((name) => join("scripts", `${name}.ts`)),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    target: "node22.12",
    format: "esm",
    conditions: ["react-server"],
    define: { IS_BUNDLED: "true" },
    // An optional dependency of PostgreSQL's driver, and the embedded server, which the image does not have.
    external: ["pg-native", "../postgres.mjs"],
    // CommonJS packages load Node's built-in modules with `require`.
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module";\nconst require = __createRequire(import.meta.url);',
    },
    legalComments: "none",
    logLevel: "error",
  });
}
