import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { workerThreads } from "./scripts/vitest-worker-threads.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  plugins: [workerThreads()],
  resolve: {
    tsconfigPaths: true,
    // The package throws outside React's server condition, in which tests do not run.
    alias: { "server-only": at("./node_modules/server-only/empty.js") },
  },
  test: {
    environment: "node",
    include: ["{app,bench,cli,components,lib,packages,prisma,scripts}/**/*.test.{ts,tsx}"],
    globalSetup: "./scripts/vitest-global-setup.ts",
    setupFiles: ["./scripts/vitest-environment.ts"],
    // Ten times as long as on an idle machine.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
