// Writes what is made from the declarations of the command-line tool: its reference in docs/cli.md, its manual page, and the
// inputs and outputs of the integrations for CI systems.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withReference } from "./lib/cli-docs";
import { projectDir } from "./lib/files.mjs";
import { INTEGRATION_FILES, withSections } from "./lib/integrations";

const guide = join(projectDir, "docs", "cli.md");
const { markdown, manual } = withReference(readFileSync(guide, "utf8"));
writeFileSync(guide, markdown);
writeFileSync(join(projectDir, "cli", "slipway.1"), manual);
for (const path of INTEGRATION_FILES) {
  const file = join(projectDir, path);
  writeFileSync(file, withSections(path, readFileSync(file, "utf8")));
}
