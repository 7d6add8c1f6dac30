import { expect, it } from "vitest";
import { projectOf, testProjects } from "./test-projects.mjs";

const IMPORTS = 'import { expect, it } from "vitest";';
const fileOf = (text: string, imports: string[] = [], file = "lib/some.test.ts") =>
  projectOf({ file, text: `${IMPORTS}\n${text}`, imports: new Set([file, ...imports]) });

it("a file that computes something is pure", () => {
  expect(fileOf('import { sum } from "./sum";', ["lib/sum.ts", "lib/kernel/batches.ts"])).toBe("pure");
});

it.each([
  ["replaces a module", 'vi.mock("./sum");'],
  ["stops the clock", "vi.useFakeTimers();"],
  ["starts a thread", 'import { Worker } from "node:worker_threads";'],
])("a file that %s has a process of its own", (_, text) => {
  expect(fileOf(text)).toBe("process");
  expect(fileOf(text, ["scripts/test-database.ts"])).toBe("process");
});

it.each([
  ["starts a program", 'import { spawn } from "node:child_process";'],
  ["reads the environment", "process.env.HOME"],
  ["replaces a function", 'vi.spyOn(console, "log");'],
  ["listens", 'import { createServer } from "node:http";'],
])("a file that %s shares its process with others, and its modules with none", (_, text) => {
  expect(fileOf(text)).toBe("shared");
});

it.each([
  "lib/kernel/env.ts",
  "lib/db/client.ts",
  "lib/testing/console.ts",
  "lib/jobs/index.ts",
  "scripts/test-database.ts",
])("a file that loads %s at any distance shares its process, and its modules with none", (path) => {
  expect(fileOf("", [path])).toBe("shared");
});

it("a slow file is slow, whatever it does", () => {
  expect(fileOf("", [], "lib/some.slow.test.ts")).toBe("slow");
});

it("each test file is in one project, and no project is empty", () => {
  const projects = testProjects();
  const all = Object.values(projects).flat();
  expect(new Set(all).size).toBe(all.length);
  for (const [name, files] of Object.entries(projects)) expect([name, files.length]).not.toEqual([name, 0]);
});
