import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { projectDir } from "./files.mjs";

const COMMAND = `import { appendFileSync } from "node:fs"; appendFileSync("ran", process.argv.slice(2).join());`;
/** As the server does: a second signal ends it at once. */
const SERVER = `
let signals = 0;
process.on("SIGTERM", () => {
  signals += 1;
  console.log("stopping");
  setImmediate(() => process.exit(signals === 1 ? 0 : 1));
});
setInterval(() => {}, 1_000);
console.log("waiting for the database");
console.log("waiting for the database");
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "slipway-compile-cache-"));
  mkdirSync(join(folder, "commands"));
  writeFileSync(join(folder, "commands", "audit.mjs"), COMMAND);
});
afterEach(() => rmSync(folder, { recursive: true }));

function fill(server: string) {
  writeFileSync(join(folder, "server.mjs"), server);
  const script = join(projectDir, "scripts", "lib", "compile-cache.mjs");
  return spawnSync(process.execPath, [script, "cache", "--no-warnings", "server.mjs"], {
    cwd: folder,
    encoding: "utf8",
  });
}

it("keeps the compiled code of the commands and of a server that was stopped once, in the folder", () => {
  expect(fill(SERVER)).toMatchObject({ status: 0, stderr: "" });
  expect(readFileSync(join(folder, "ran"), "utf8")).toBe("--help");
  const files = readdirSync(join(folder, "cache"), { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  );
  expect(files.length).toBeGreaterThanOrEqual(2);
});

it("fails with the output of a server that does not start", () => {
  const { status, stderr } = fill(`console.log("no port"); process.exit(3);`);
  expect(status).toBe(1);
  expect(stderr).toContain("the server ended with 3:\nno port");
});
