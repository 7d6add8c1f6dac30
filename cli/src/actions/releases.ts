import type { OperationOutput } from "@/lib/client/operation-types";
import { safeFileName } from "@/lib/kernel/file-name";
import { askToConfirm } from "../lib/ask";
import { type ConsoleFlags, connect } from "../lib/console";
import { type Context, isInteractive } from "../lib/context";
import { type DownloadFlags, downloadVerified } from "../lib/download";
import { connectToEnvironment, type EnvironmentFlags } from "../lib/environment";
import { EXIT, Failure, usageFailure } from "../lib/failure";
import { connectToRelease, installerOf, ofRelease, type ReleaseFlags, requireReleaseId } from "../lib/release";
import { dateAndTime, printable, size, writeFacts, writeTable } from "../lib/terminal";
import { writeJson } from "../lib/write-json";

export interface ListReleasesFlags extends EnvironmentFlags {
  limit: number;
  version?: string;
  json: boolean;
}

export interface DeleteFlags extends ConsoleFlags {
  yes: boolean;
}

/** Lists the releases of an environment, newest first. */
export async function list(this: Context, flags: ListReleasesFlags): Promise<void> {
  const { console, place } = await connectToEnvironment(this, flags);
  const { limit, version } = flags;
  const { items } = await console.query("apps/get-testing-deploys", {
    environmentId: place.environment.id,
    limit,
    version,
  });
  if (flags.json) return writeJson(this, items);
  if (items.length === 0) this.err.say("There are no releases.");
  const { app, environment } = place;
  const input = { appId: app.id, environmentIds: [environment.id] };
  const latest = items.length === 0 ? [] : (await console.query("apps/get-latest-testing-deploys", input)).items;
  writeTable(
    this.out,
    ["id", "", "version", "platform", "published", "size", "notes"],
    items.map((release) => [
      release.id,
      latest.some(({ id }) => id === release.id) ? "latest" : "",
      `${release.version} (${release.buildNumber})`,
      release.platform.name,
      dateAndTime(release.deployDate),
      size(release.size),
      release.descriptionSummary,
    ]),
  );
}

type Release = OperationOutput<"apps/get-testing-deploy-by-id">;
type Universal = NonNullable<Release["universal"]>;

/** How far the APK of an app bundle is, and why there is none. */
function universalText({ state, size: bytes, error, detail }: Universal): string {
  const more = state === "ready" && bytes !== null ? size(bytes) : [error, detail].filter(Boolean).join(": ");
  return more === "" ? state : `${state}, ${more}`;
}

/** Shows a release. */
export async function show(this: Context, flags: ReleaseFlags, id: string): Promise<void> {
  const { release } = await connectToRelease(this, flags, id);
  if (flags.json) return writeJson(this, release);
  const facts: [string, string][] = [
    ["ID", release.id],
    ["Name", release.displayName],
    ["Version", `${release.version} (${release.buildNumber})`],
    ["Application", `${release.app.name} (${release.app.identifier})`],
    ["Environment", release.environment.name],
    ["Published", `${dateAndTime(release.deployDate)}${release.createdBy ? ` by ${release.createdBy.name}` : ""}`],
    ["File", `${release.fileName}, ${size(release.size)}`],
    ["SHA-256", release.sha256],
    ["Downloads", String(release.downloads)],
    ...(release.universal ? [["APK for all devices", universalText(release.universal)] as [string, string]] : []),
    ...Object.entries(release.metadata),
    ["Install", release.installUrl],
  ];
  writeFacts(this.out, facts);
  this.out.say(`\n${printable(release.description)}`);
}

/** Downloads the installer of a release and verifies its SHA-256. */
export async function download(this: Context, flags: DownloadFlags, id: string): Promise<void> {
  const { console, release } = await connectToRelease(this, flags, id);
  await downloadVerified(this, flags, {
    // The name comes from the console, which may be another one than the tool expects.
    name: safeFileName(release.fileName, [release.installer.kind]),
    ...installerOf(console, release),
  });
}

/** Has the console make the APK for all devices of an app bundle that it could not make, or make that of an older one. */
export async function retryApk(this: Context, flags: ReleaseFlags, id: string): Promise<void> {
  requireReleaseId(id);
  const console = await connect(this, flags);
  const release = await ofRelease(id, () => console.command("apps/retry-universal-apk", { id }));
  if (flags.json) return writeJson(this, release);
  this.err.say(
    `${this.err.paint("green", this.symbols.done)} Requested. \`slipway releases show ${id}\` says how far it is.`,
  );
}

/** Deletes a release, after a confirmation. */
export async function remove(this: Context, flags: DeleteFlags, id: string): Promise<void> {
  requireReleaseId(id);
  const console = await connect(this, flags);
  if (!flags.yes) {
    if (!isInteractive(this)) throw usageFailure("Confirm the deletion with --yes.");
    const { displayName, version, buildNumber, environment } = await ofRelease(id, () =>
      console.query("apps/get-testing-deploy-by-id", { id }),
    );
    const question = `Delete ${displayName} ${version} (${buildNumber}) of ${environment.name}? Its file is deleted, too.`;
    if (!(await askToConfirm(this, printable(question)))) throw new Failure(EXIT.refused, "Nothing was deleted.");
  }
  await ofRelease(id, () => console.command("apps/delete-testing-deploy", { id }));
  this.err.say(`${this.err.paint("green", this.symbols.done)} Deleted.`);
}
