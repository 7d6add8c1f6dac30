import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs, promisify } from "node:util";
import { createRunDir, startThrowawayPostgres } from "../testing/throwaway-postgres.ts";
import { projectDir } from "./lib/files.mjs";
import {
  findBreakingStatements,
  findDestructiveLines,
  nextMigrationName,
  toMigrationTitle,
} from "./lib/migration-files.mjs";

const USAGE = `usage: npm run db:migration -- <name>          writes the SQL from prisma/migrations to prisma/schema.prisma
       npm run db:migration -- --empty <name>  writes an empty file, for SQL that the Prisma schema cannot express
       npm run db:migration -- --check         fails if the migrations do not lead to the schema`;

const migrationsDir = join(projectDir, "prisma", "migrations");

/** Returns the SQL that leads from the migrations to the schema; "" if they agree. The migrations are replayed on a temporary server. */
async function diff(): Promise<string> {
  const postgres = await startThrowawayPostgres(await createRunDir(), { inMemory: true });
  try {
    const cli = join(projectDir, "node_modules", "prisma", "build", "index.js");
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [cli, "migrate", "diff", "--from-migrations", migrationsDir, "--to-schema", "prisma/schema.prisma", "--script"],
      { cwd: projectDir, env: { ...process.env, DATABASE_URL: postgres.superuserUrl, NO_COLOR: "1" } },
    );
    const sql = stdout.trim();
    return sql === "-- This is an empty migration." ? "" : `${sql}\n`;
  } finally {
    await postgres.destroy();
  }
}

async function check(): Promise<void> {
  const sql = await diff();
  if (sql === "") {
    console.log("The migrations lead to the schema.");
    return;
  }
  console.error(`The migrations do not lead to prisma/schema.prisma. Missing:\n\n${sql}`);
  process.exitCode = 1;
}

async function write(title: string, empty: boolean): Promise<void> {
  const sql = empty ? "" : await diff();
  if (sql === "" && !empty) {
    console.log("The migrations lead to the schema already; nothing to write.");
    return;
  }
  const names = existsSync(migrationsDir) ? readdirSync(migrationsDir) : [];
  const folder = join(migrationsDir, nextMigrationName(names, toMigrationTitle(title), new Date()));
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "migration.sql");
  writeFileSync(file, sql);
  console.log(`Wrote ${relative(projectDir, file)}`);
  for (const { statement, reason } of findBreakingStatements(sql)) {
    console.log(`\nThis ${reason}; split it into a release that adds and a later one that removes:\n  ${statement}`);
  }
  const destructive = findDestructiveLines(sql);
  if (destructive.length > 0) {
    console.log(
      `\nThe previous version serves requests while this is applied, and these lines delete data. Review them:\n  ${destructive.join("\n  ")}`,
    );
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: "boolean" }, empty: { type: "boolean" } },
});
if (values.check) await check();
else if (positionals.length === 1) await write(String(positionals[0]), values.empty ?? false);
else {
  console.error(USAGE);
  process.exitCode = 2;
}
