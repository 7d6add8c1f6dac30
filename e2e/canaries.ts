import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { plant } from "../testing/canaries";
import { ADMIN } from "../testing/environment.ts";

/** Creates the folder in which the processes of a run note the secrets that they plant, and removes it at the end. */
export default function prepareCanaries(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "slipway-canaries-"));
  process.env.E2E_CANARIES = folder;
  plant("password", ADMIN.password);
  return () => rmSync(folder, { recursive: true, force: true });
}
