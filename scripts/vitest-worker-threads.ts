import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import type { Plugin } from "vite";
import { projectDir } from "./lib/files.mjs";

const WORKER = /new Worker\(\s*new URL\("(\.\/[\w-]+\.ts)", import\.meta\.url\)/g;

/** Bundles the program of a worker thread, as Next does for the server. @returns the path of the bundle */
export async function bundleWorkerThread(program: string): Promise<string> {
  // By its path, because programs in different folders have the same name and are bundled at the same time.
  const outfile = join(projectDir, ".test", "workers", relative(projectDir, program).replace(/\.ts$/, ".mjs"));
  await build({
    entryPoints: [program],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node22.12",
    // For packages in CommonJS that load modules of Node.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    logLevel: "error",
  });
  return outfile;
}

/** Bundles the entry points of worker threads for tests, as Next does for the server. */
export function workerThreads(): Plugin {
  return {
    name: "worker-threads",
    // Vitest keeps transformed modules between runs, and does not know of the files that are bundled.
    configureVitest({ defineCacheKeyGenerator }) {
      defineCacheKeyGenerator(({ sourceCode }) => (sourceCode.search(WORKER) === -1 ? undefined : false));
    },
    async transform(code, file) {
      const programs = [...code.matchAll(WORKER)].map(([, path]) => path as string);
      if (programs.length === 0) return null;
      let bundled = code;
      for (const program of programs) {
        const outfile = await bundleWorkerThread(join(dirname(file), program));
        bundled = bundled.replace(`new URL("${program}", import.meta.url)`, `new URL("${pathToFileURL(outfile)}")`);
      }
      return { code: bundled, map: null };
    },
  };
}
