import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { workerThreads } from "./scripts/vitest-worker-threads.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// Each test file runs in a process of its own, and most of them load the same packages. The first one compiles them for all.
process.env.NODE_COMPILE_CACHE ??= at("./node_modules/.cache/compiled/");

export default defineConfig({
  plugins: [workerThreads()],
  resolve: {
    tsconfigPaths: true,
    // The package throws outside React's server condition, in which tests do not run.
    alias: { "server-only": at("./node_modules/server-only/empty.js") },
  },
  test: {
    environment: "node",
    include: ["{app,bench,cli,components,lib,packages,prisma,scripts,torture}/**/*.test.{ts,tsx}"],
    globalSetup: "./scripts/vitest-global-setup.ts",
    // By default, Vitest leaves a core to itself, and runs one file at a time on two cores.
    maxWorkers: availableParallelism(),
    setupFiles: ["./scripts/vitest-environment.ts"],
    // Ten times as long as on an idle machine.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
