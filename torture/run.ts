import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { Configuration } from "./subjects/configuration.ts";
import { Keys } from "./subjects/keys.ts";
import { type Subject, torture } from "./torture.ts";

const USAGE = `usage: npm run torture -- [subjects…] [--kills <number>] [--seed <number>]
  subjects  configuration keys; by default, all
  --kills   how many processes are killed; by default, 20
  --seed    repeats the choices of an earlier run`;

const SUBJECTS: Record<string, () => Subject> = {
  configuration: () => new Configuration(),
  keys: () => new Keys(),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kills: { type: "string", default: "20" },
    seed: { type: "string" },
    help: { type: "boolean", short: "h" },
  },
});
const names = positionals.length > 0 ? positionals : Object.keys(SUBJECTS);
const [kills, seed] = [Number(values.kills), Number(values.seed ?? randomInt(1, 2 ** 31))];
if (values.help || names.some((name) => !(name in SUBJECTS)) || !(kills > 0) || !Number.isInteger(seed)) {
  console.log(USAGE);
  process.exit(values.help ? 0 : 2);
}

console.log(`npm run torture -- ${names.join(" ")} --kills ${kills} --seed ${seed}`);
const begin = performance.now();
const { problems, ...report } = await torture({
  subjects: names.map((name) => (SUBJECTS[name] as () => Subject)()),
  kills,
  seed,
  onProgress: (round, { figures }) => {
    if (process.stdout.isTTY || round % 10 === 0) console.log(`${round} kills`, JSON.stringify(figures));
  },
});
console.log(JSON.stringify({ ...report, seconds: Math.round((performance.now() - begin) / 1000) }, null, 2));
for (const problem of problems) console.log(problem);
console.log(problems.length === 0 ? "Every invariant held." : `${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
