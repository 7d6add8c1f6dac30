import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { projectDir } from "../lib/files.mjs";
import { check, results } from "./checks";
import { Deployment } from "./deployment";
import { checkLoad } from "./journeys";
import { checkMonitoring } from "./monitoring";
import { checkRecovery } from "./recovery";
import { checkServices } from "./services";
import { checkUpgrades } from "./upgrade";

/** The groups of checks, each of which starts from an empty deployment. */
const groups: Record<string, (deployment: Deployment) => Promise<void>> = {
  services: checkServices,
  recovery: checkRecovery,
  upgrade: (deployment) => checkUpgrades(deployment, values),
  monitoring: checkMonitoring,
  load: checkLoad,
};

const USAGE = `Runs docker-compose.yml for real and checks what docs/operations says of it. Takes about 45 minutes.

usage: npm run check:deployment -- [--image <name>] [--only <group>]... [--previous <image>]
       [--port <number>] [--results <file>]

  --image     an image of the console that exists; by default, it is built from this folder
  --only      runs one group of checks: ${Object.keys(groups).join(", ")}
  --previous  an image of the version before, for upgrades and rollbacks; by default, the image with one migration less
  --port      a free port of this machine for HTTPS; the next one is used for HTTP. By default 8443
  --results   the file that the table of results is written to

It needs Docker with Compose 2.24 or later, openssl, curl, 4 GiB of memory and 5 GiB of disk. It uses the project name
slipway-check and removes its containers and volumes at the end.
`;

const { values } = parseArgs({
  options: {
    image: { type: "string" },
    only: { type: "string", multiple: true, default: Object.keys(groups) },
    port: { type: "string", default: "8443" },
    previous: { type: "string" },
    results: { type: "string" },
    help: { type: "boolean", short: "h" },
  },
});

/** Returns what is missing on this machine. */
function missingRequirements(): string[] {
  const output = (program: string, ...args: string[]) => {
    const { status, stdout } = spawnSync(program, args, { encoding: "utf8" });
    return status === 0 ? stdout.trim() : null;
  };
  const [major = 0, minor = 0] = (output("docker", "compose", "version", "--short") ?? "0.0")
    .replace(/^v/, "")
    .split(".")
    .map(Number);
  return [
    output("docker", "info") === null && "a Docker engine that this user may use",
    (major < 2 || (major === 2 && minor < 24)) && "Docker Compose 2.24 or later",
    output("openssl", "version") === null && "openssl",
    output("curl", "--version") === null && "curl",
  ].filter((requirement) => requirement !== false);
}

async function main(): Promise<number> {
  const unknown = values.only.filter((group) => !Object.hasOwn(groups, group));
  if (unknown.length > 0) {
    process.stderr.write(`${unknown.join(", ")}: no such group\n\n${USAGE}`);
    return 2;
  }
  const missing = missingRequirements();
  if (missing.length > 0) {
    process.stderr.write(`This check needs ${missing.join(", ")}.\n`);
    return 2;
  }
  let { image } = values;
  if (image === undefined) {
    image = "slipway-check-build";
    execFileSync("docker", ["build", "--tag", image, projectDir], { stdio: "inherit" });
  }
  for (const group of values.only) {
    const deployment = new Deployment({ image, httpsPort: Number(values.port) });
    try {
      deployment.tagImage();
      // A group that cannot go on fails, and the next one runs.
      const run = groups[group] as (typeof groups)[string];
      await run(deployment).catch((error: Error) =>
        check(`${group}: goes on to its end`, async () => {
          throw error;
        }),
      );
    } finally {
      deployment.remove();
    }
  }
  const cell = (text: string) => (text.split("\n")[0] ?? "").replaceAll("|", "\\|");
  const rows = results.map(
    ({ name, ok, detail }) => `| ${cell(name)} | ${ok ? "ok" : "**failed**"} | ${cell(detail)} |`,
  );
  const table = ["| check | result | measured |", "| --- | --- | --- |", ...rows, ""].join("\n");
  if (values.results) writeFileSync(values.results, table);
  const failed = results.filter(({ ok }) => !ok).length;
  process.stdout.write(`\n${results.length} checks, ${failed} failed\n`);
  return failed > 0 ? 1 : 0;
}

if (values.help) process.stdout.write(USAGE);
// Connections that a failed check left open do not keep the process.
else process.exit(await main());
