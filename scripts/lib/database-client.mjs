import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runQuietly } from "./children.mjs";
import { projectDir } from "./files.mjs";
import { compareWithStamp } from "./fingerprint.mjs";

const schemaFile = join(projectDir, "prisma", "schema.prisma");
const clientDir = join(projectDir, "lib", "db", "generated");

/** @param {string} name */
function readVersion(name) {
  return JSON.parse(readFileSync(join(projectDir, "node_modules", name, "package.json"), "utf8")).version;
}

/**
 * Generates the database client if the schema has changed.
 *
 * @param {(detail: string) => void} report
 */
export async function generateClient(report) {
  const { fresh, stamp } = compareWithStamp(join(clientDir, "schema.stamp.json"), {
    root: join(projectDir, "prisma"),
    includes: (path) => path === "schema.prisma",
    extra: [readVersion("prisma")],
  });
  if (fresh && existsSync(clientDir)) {
    report("up to date");
    return;
  }
  await runQuietly(
    "prisma generate",
    process.execPath,
    [join(projectDir, "node_modules", "prisma", "build", "index.js"), "generate", "--schema", schemaFile],
    { cwd: projectDir, env: { ...process.env, PRISMA_HIDE_UPDATE_MESSAGE: "1" } },
  );
  stamp();
  report("generated");
}
