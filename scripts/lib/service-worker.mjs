import { createHash } from "node:crypto";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { projectDir } from "./files.mjs";

/** Files of `public/` that the worker stores when it is installed. */
const PRECACHED = ["*.{svg,png,ico,js}", "platforms/*"];

function precachedFiles() {
  const root = join(projectDir, "public");
  return globSync(PRECACHED, { cwd: root })
    .sort()
    .map((file) => ({
      url: `/${file.replaceAll("\\", "/")}`,
      revision: createHash("sha256")
        .update(readFileSync(join(root, file)))
        .digest("hex")
        .slice(0, 16),
    }));
}

/** The texts of the offline page by language. */
function offlineTexts() {
  const folder = join(projectDir, "messages");
  return Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .map((name) => {
        const { shell, offline } = JSON.parse(readFileSync(join(folder, name), "utf8"));
        return [basename(name, ".json"), { product: shell.product, ...offline.page }];
      }),
  );
}

/**
 * Builds the service worker.
 *
 * @param {string} file the output file
 * @param {string} buildId the build that it belongs to, so that each build is a new version
 */
export async function bundleServiceWorker(file, buildId) {
  await build({
    absWorkingDir: projectDir,
    entryPoints: [join("lib", "client", "worker", "service-worker.ts")],
    outfile: file,
    bundle: true,
    minify: true,
    platform: "browser",
    target: "es2022",
    format: "iife",
    define: {
      "process.env.NODE_ENV": '"production"',
      PRECACHED_FILES: JSON.stringify(precachedFiles()),
      OFFLINE_TEXTS: JSON.stringify(offlineTexts()),
    },
    banner: { js: `/* build ${buildId} */` },
    legalComments: "none",
    logLevel: "error",
  });
}
