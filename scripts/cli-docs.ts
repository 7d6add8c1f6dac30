// Writes the reference of the command-line tool into docs/cli.md, and its manual page.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withReference } from "./lib/cli-docs";
import { projectDir } from "./lib/files.mjs";

const guide = join(projectDir, "docs", "cli.md");
const { markdown, manual } = withReference(readFileSync(guide, "utf8"));
writeFileSync(guide, markdown);
writeFileSync(join(projectDir, "cli", "slipway.1"), manual);
