import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { type TestProject, testProjects } from "./scripts/lib/test-projects.mjs";
import { workerThreads } from "./scripts/vitest-worker-threads.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// Many processes load the same packages. The first one compiles them for all.
process.env.NODE_COMPILE_CACHE ??= at("./node_modules/.cache/compiled/");

const files = testProjects();

/** Everything that `npm test` runs, or with SLIPWAY_TESTS=slow, what `npm run test:slow` runs. */
const isSlowRun = process.env.SLIPWAY_TESTS === "slow";
const names: TestProject[] = isSlowRun ? ["slow"] : ["process", "shared", "pure", "machine"];

const environment = "./scripts/vitest-environment.ts";
const settings: Record<TestProject, object> = {
  process: { setupFiles: [environment] },
  // A process runs many files. Each file loads the project's modules again, and the packages, which are most of the code, once.
  // The modules that the environment loads, such as the vendor's keys, are those of the file: they are loaded after the others went.
  shared: { isolate: false, setupFiles: ["./scripts/vitest-shared.ts", environment] },
  pure: { isolate: false, pool: "threads" },
  machine: { setupFiles: [environment], maxWorkers: 1, sequence: { groupOrder: 1 } },
  slow: { setupFiles: [environment] },
};

export default defineConfig({
  plugins: [workerThreads()],
  resolve: {
    tsconfigPaths: true,
    // The package throws outside React's server condition, in which tests do not run.
    alias: { "server-only": at("./node_modules/server-only/empty.js") },
  },
  test: {
    environment: "node",
    globalSetup: "./scripts/vitest-global-setup.ts",
    // By default, Vitest leaves a core to itself, and runs one file at a time on two cores.
    maxWorkers: availableParallelism(),
    // Ten times as long as on an idle machine.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    projects: names
      .filter((name) => files[name].length > 0)
      .map((name) => ({ extends: true, test: { name, include: files[name], ...settings[name] } })),
  },
});
