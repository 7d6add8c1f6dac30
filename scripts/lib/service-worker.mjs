import { createHash } from "node:crypto";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { projectDir } from "./files.mjs";

/** Files of `public/` that the worker stores when it is installed. */
const PRECACHED = ["*.{svg,png,ico,js}", "platforms/*"];

/** @returns the path of the console's font, whose name Next forms from its content */
function fontPath() {
  const [file] = globSync("Geist_*.woff2", { cwd: join(projectDir, ".next", "static", "media") });
  if (file === undefined) throw new Error("The build has no font Geist_*.woff2.");
  return `/_next/static/media/${file}`;
}

/** @param {string} font */
function precachedFiles(font) {
  const root = join(projectDir, "public");
  const files = globSync(PRECACHED, { cwd: root })
    .sort()
    .map((file) => ({
      url: `/${file.replaceAll("\\", "/")}`,
      revision: createHash("sha256")
        .update(readFileSync(join(root, file)))
        .digest("hex")
        .slice(0, 16),
    }));
  return [...files, { url: font, revision: null }];
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

/** What all programs of the browser that this file builds have in common. */
const OPTIONS = /** @type {const} */ ({
  absWorkingDir: projectDir,
  bundle: true,
  minify: true,
  platform: "browser",
  target: "es2022",
  format: "iife",
  legalComments: "none",
  logLevel: "error",
});

/**
 * Builds the worker and the script of the pages of testers without an account.
 *
 * @param {string} folder where the files are written
 */
export async function bundleTesterPrograms(folder) {
  const programs = { "tester-sw": "tester-worker", tester: "tester-page" };
  await build({
    ...OPTIONS,
    entryPoints: Object.entries(programs).map(([out, name]) => ({
      in: join("lib", "client", "worker", `${name}.ts`),
      out,
    })),
    outdir: folder,
  });
}

/**
 * Builds the service worker.
 *
 * @param {string} file the output file
 * @param {string} buildId the build that it belongs to, so that each build is a new version
 */
export async function bundleServiceWorker(file, buildId) {
  const font = fontPath();
  await build({
    ...OPTIONS,
    entryPoints: [join("lib", "client", "worker", "service-worker.ts")],
    outfile: file,
    define: {
      "process.env.NODE_ENV": '"production"',
      PRECACHED_FILES: JSON.stringify(precachedFiles(font)),
      OFFLINE_FONT: JSON.stringify(font),
      OFFLINE_TEXTS: JSON.stringify(offlineTexts()),
    },
    banner: { js: `/* build ${buildId} */` },
  });
}
