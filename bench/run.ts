import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { projectDir } from "../scripts/lib/files.mjs";
import { startBench } from "./bench.ts";
import { type Row, toTable } from "./report.ts";
import { firstLoadRows } from "./rows/first-load.ts";
import { inspectRows } from "./rows/inspect.ts";
import { startRows } from "./rows/start.ts";
import { uploadRows } from "./rows/upload.ts";

/** Every benchmark, or those whose names are given: `npm run bench -- upload inspect`. */
async function main(): Promise<void> {
  const wanted = new Set(process.argv.slice(2));
  const rows: Row[] = [];
  const bench = await startBench();
  try {
    const all = { upload: uploadRows, inspect: inspectRows, "first-load": firstLoadRows, start: startRows };
    for (const [name, measure] of Object.entries(all)) {
      if (wanted.size > 0 && !wanted.has(name)) continue;
      console.error(`${name} …`);
      rows.push(...(await measure(bench)));
    }
  } finally {
    await bench.stop();
  }
  console.log(`\nNode ${process.version}, ${cpus().length} × ${cpus()[0]?.model}\n\n${toTable(rows)}`);
  const folder = join(projectDir, "bench", "results");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "latest.json"), `${JSON.stringify(rows, null, 2)}\n`);
}

await main();
