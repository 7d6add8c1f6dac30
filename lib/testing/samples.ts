import { glob } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Operation, pathOf } from "@/lib/api/operation";
import type { Sample } from "./sample";

const OPERATIONS = fileURLToPath(new URL("../features/", import.meta.url));
const SUFFIX = ".sample.ts";

/** The samples of all operations. They are in `<operation>.sample.ts`, beside `<operation>.ts`. */
export const samples = new Map<Operation, Sample>();
for await (const file of glob(`*/operations/*${SUFFIX}`, { cwd: OPERATIONS })) {
  const { sample } = (await import(join(OPERATIONS, file))) as { sample: Sample };
  samples.set(sample.operation, sample);
}

/** @throws Error if the operation has no sample */
export function sampleOf(operation: Operation): Sample {
  const sample = samples.get(operation);
  if (sample) return sample;
  throw new Error(
    `${pathOf(operation)} has no sample: write ${operation.name}${SUFFIX} beside its ${operation.name}.ts`,
  );
}
