#!/usr/bin/env node
// Checks that the texts of all languages have the same keys and arguments.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { projectDir } from "./lib/files.mjs";
import { findMessageProblems } from "./lib/messages.mjs";

const folder = join(projectDir, "messages");
const locales = Object.fromEntries(
  readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => [basename(name, ".json"), JSON.parse(readFileSync(join(folder, name), "utf8"))]),
);
const problems = findMessageProblems(locales, "es");
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`The texts agree in ${Object.keys(locales).length} languages.`);
