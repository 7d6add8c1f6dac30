import { CERTIFICATE_EXTENSIONS } from "@slipway/certificates";
import { safeFileName } from "@/lib/kernel/file-name";
import type { Console } from "../lib/console";
import type { Context } from "../lib/context";
import { connectToEnvironment, type EnvironmentFlags } from "../lib/environment";
import { usageFailure } from "../lib/failure";
import { type OutputFlags, outputPath, requirePipe, writeOutput } from "../lib/output-file";
import { allItems } from "../lib/places";
import { withSecondFactor } from "../lib/second-factor";
import { writeTable } from "../lib/terminal";
import { writeJson } from "../lib/write-json";

export interface ListCertificatesFlags extends EnvironmentFlags {
  json: boolean;
}
export interface PullCertificateFlags extends EnvironmentFlags, OutputFlags {
  json: boolean;
}

function certificatesOf(console: Console, environmentId: string) {
  return allItems((cursor) => console.query("apps/get-secure-certificates", { environmentId, limit: 100, cursor }));
}

/** Lists the certificates of an environment. */
export async function list(this: Context, flags: ListCertificatesFlags): Promise<void> {
  const { console, place } = await connectToEnvironment(this, flags);
  const certificates = await certificatesOf(console, place.environment.id);
  if (flags.json) return writeJson(this, certificates);
  if (certificates.length === 0) this.err.say("There are no certificates.");
  writeTable(
    this.out,
    ["key", "file", "status", "expires"],
    certificates.map(({ key, fileName, status, expirationDate }) => [
      key,
      fileName,
      status,
      expirationDate?.slice(0, 10) ?? "does not expire",
    ]),
  );
}

/** Writes the file of a certificate. */
export async function pull(this: Context, flags: PullCertificateFlags, key: string): Promise<void> {
  const { console, place } = await connectToEnvironment(this, flags);
  const found = (await certificatesOf(console, place.environment.id)).find((one) => one.key === key);
  if (!found) throw usageFailure(`There is no certificate "${key}".`);
  // The name comes from the console, which may be another one than the tool expects.
  const name = safeFileName(found.fileName, [found.format, ...CERTIFICATE_EXTENSIONS]);
  const path = flags.json ? null : outputPath(this, flags, name);
  if (!flags.json && path === null) requirePipe(this);
  const certificate = await withSecondFactor(this, console, () =>
    console.query("apps/get-secure-certificate", { id: found.id }),
  );
  if (flags.json) return writeJson(this, certificate);
  const content = Buffer.from(certificate.value, "base64");
  if (path === null) await this.out.send([content]);
  else await writeOutput(path, content, { mode: 0o600, force: flags.force });
  if (certificate.password !== null) this.err.say("The file has a password: --json shows it.");
  if (path !== null) this.out.write(`${path}\n`);
}
