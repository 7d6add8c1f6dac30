#!/usr/bin/env node
// Checks that every file is in an allowed place and has only allowed imports.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listProjectFiles, projectDir } from "./lib/files.mjs";
import { helpersOf, importProblem, importsOf, placeProblem } from "./lib/structure.mjs";

const files = listProjectFiles().filter((file) => /\.tsx?$/.test(file));
const known = new Set(files);
/** @param {string} path */
const resolve = (path) => {
  const endings = ["", ".ts", ".tsx", ".d.ts", "/index.ts", "/index.tsx"];
  const found = endings.map((ending) => path + ending).find((file) => known.has(file));
  // Generated files, data files and the entry points of packages are not in the list.
  return found ?? (/^(lib\/db\/generated|messages|packages)\//.test(path) ? path : undefined);
};

const HELPERS_ADVICE = "make it an operation, a rule of the feature or a helper of the component.";

const problems = files.flatMap((file) => {
  const place = placeProblem(file);
  const text = readFileSync(join(projectDir, file), "utf8");
  const imports = importsOf(file, text, resolve);
  return [
    ...(place ? [`${file}: ${place}`] : []),
    ...helpersOf(file, text).map(
      ({ name, line }) =>
        `${file}:${line} defines ${name}: a page calls operations and renders components; ${HELPERS_ADVICE}`,
    ),
    ...imports.flatMap((imported) => {
      const problem = importProblem(imported);
      return problem ? [`${file}:${imported.line} imports ${imported.to}: ${problem}`] : [];
    }),
  ];
});
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`${files.length} files lie where they belong.`);
