import { join } from "node:path";
import { build } from "esbuild";
import { projectDir } from "./files.mjs";

/** The maintenance commands that a deployment needs where there is neither npm nor the project: in the image. */
export const commands = ["admin", "audit", "signing-key", "store", "sweep"];

/**
 * Makes of each command one file that Node runs without packages.
 *
 * @param {string} folder where they go
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
    // What PostgreSQL's driver would use if it were there, and the embedded server, which no image has.
    external: ["pg-native", "../postgres.mjs"],
    // Packages in the older format ask for Node's own modules by `require`.
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module";\nconst require = __createRequire(import.meta.url);',
    },
    legalComments: "none",
    logLevel: "error",
  });
}
