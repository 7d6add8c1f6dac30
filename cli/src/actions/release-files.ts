import { safeFileName } from "@/lib/kernel/file-name";
import type { ConsoleFlags } from "../lib/console";
import type { Context } from "../lib/context";
import { type DownloadFlags, downloadVerified } from "../lib/download";
import { EXIT, Failure, usageFailure } from "../lib/failure";
import { addFurtherFiles, type FurtherFileFlags, prepareFurtherFiles } from "../lib/further-files";
import { connectToRelease, type ReleaseFlags } from "../lib/release";
import { dateAndTime, printable, size, writeTable } from "../lib/terminal";
import { writeJson } from "../lib/write-json";

/** The most files that a release has. */
const MAX_FILES = 100;
/** How long one file may take to be sent. */
const UPLOAD_TIMEOUT_MS = 3_600_000;

export interface AddFilesFlags extends ConsoleFlags, FurtherFileFlags {
  json: boolean;
}

/** Lists the further files of a release, and the programs that have no symbols. */
export async function listFiles(this: Context, flags: ReleaseFlags, id: string): Promise<void> {
  const { console } = await connectToRelease(this, flags, id);
  const files = await console.query("apps/get-release-files", { releaseId: id, limit: MAX_FILES });
  if (flags.json) return writeJson(this, files);
  const { items, symbols } = files;
  if (items.length === 0) this.err.say("There are no further files.");
  writeTable(
    this.out,
    ["id", "kind", "name", "size", "added", "symbols"],
    items.map((file) => [
      file.id,
      file.kind,
      file.name,
      size(file.size),
      dateAndTime(file.createdAt),
      file.symbols ? `${file.symbols.matched ?? "?"} of ${file.symbols.images}` : (file.mapping?.mapId ?? ""),
    ]),
  );
  if (!symbols || symbols.missing === 0) return;
  this.err.say(`${symbols.missing} of ${symbols.programs} programs have no symbols:`);
  for (const { uuid, architecture, name } of symbols.missingItems) {
    this.err.say(`  ${uuid} ${architecture} ${printable(name)}`);
  }
}

/** Adds symbols or other files to a release. */
export async function addFiles(this: Context, flags: AddFilesFlags, id: string): Promise<void> {
  const given = [...(flags.dsym ?? []), ...(flags.file ?? []), ...(flags.mapping === undefined ? [] : [flags.mapping])];
  if (given.length === 0) throw usageFailure("Name the files with --dsym, --mapping or --file.");
  const { console } = await connectToRelease(this, flags, id);
  await using further = await prepareFurtherFiles(this, flags, null);
  const added = await addFurtherFiles(this, console, {
    releaseId: id,
    further,
    timeoutMs: UPLOAD_TIMEOUT_MS,
    interrupted: this.holdInterrupts(),
  });
  if (flags.json) writeJson(this, added);
}

/** Downloads a further file of a release and verifies its SHA-256. */
export async function downloadFile(this: Context, flags: DownloadFlags, id: string, file: string): Promise<void> {
  const { console } = await connectToRelease(this, flags, id);
  const { items } = await console.query("apps/get-release-files", { releaseId: id, limit: MAX_FILES });
  const found = items.find((item) => item.id === file.toLowerCase()) ?? items.find((item) => item.name === file);
  if (!found) {
    throw new Failure(EXIT.refused, `The release has no file "${printable(file)}".`, {
      hints: [`\`slipway releases files ${id}\` lists its files.`],
    });
  }
  await downloadVerified(this, flags, {
    name: safeFileName(found.name),
    size: found.size,
    sha256: found.sha256,
    fetch: (signal) => console.fetchFile("apps/download-release-file", { id: found.id }, signal),
  });
}
