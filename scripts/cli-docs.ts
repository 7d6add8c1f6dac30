// Writes what is made from declarations: the reference of the command-line tool in docs/cli.md, its manual page, the inputs and
// outputs of the integrations for CI systems, the table of settings, and the list of pages in the README.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withReference } from "./lib/cli-docs";
import { withPages } from "./lib/docs-list";
import { projectDir } from "./lib/files.mjs";
import { INTEGRATION_FILES, withSections } from "./lib/integrations";
import { withSettings } from "./lib/settings-docs";

const guide = join(projectDir, "docs", "cli.md");
const { markdown, manual } = withReference(readFileSync(guide, "utf8"));
writeFileSync(guide, markdown);
writeFileSync(join(projectDir, "cli", "slipway.1"), manual);
const settings = join(projectDir, "docs", "operations", "settings.md");
const example = readFileSync(join(projectDir, ".env.example"), "utf8");
writeFileSync(settings, withSettings(readFileSync(settings, "utf8"), example));
for (const path of INTEGRATION_FILES) {
  const file = join(projectDir, path);
  writeFileSync(file, withSections(path, readFileSync(file, "utf8")));
}
const readme = join(projectDir, "README.md");
writeFileSync(readme, withPages(readFileSync(readme, "utf8")));
