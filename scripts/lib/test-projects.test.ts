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
  ["starts a program", 'import { spawn } from "node:child_process";'],
  ["reads the environment", "process.env.HOME"],
  ["replaces a function", 'vi.spyOn(console, "log");'],
  ["listens", 'import { createServer } from "node:http";'],
])("a file that %s is not pure", (_, text) => {
  expect(fileOf(text)).toBe("process");
});

it.each(["lib/kernel/env.ts", "lib/db/client.ts", "lib/testing/console.ts", "lib/jobs/index.ts"])(
  "a file that loads %s at any distance is not pure",
  (path) => {
    expect(fileOf("", [path])).toBe("process");
  },
);

it("a file with a database shares its process, unless it changes the process", () => {
  expect(fileOf("", ["scripts/test-database.ts", "lib/db/client.ts"])).toBe("console");
  expect(fileOf("process.env.APP_URL = 1;", ["scripts/test-database.ts"])).toBe("console");
  expect(fileOf('vi.mock("./sum");', ["scripts/test-database.ts"])).toBe("process");
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
