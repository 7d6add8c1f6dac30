import { createHash } from "node:crypto";
import type { OperationOutput } from "@/lib/client/operation-types";
import { safeFileName } from "@/lib/kernel/file-name";
import { askToConfirm } from "../lib/ask";
import { type Console, type ConsoleFlags, connect } from "../lib/console";
import { type Context, isInteractive } from "../lib/context";
import { connectToEnvironment, type EnvironmentFlags } from "../lib/environment";
import { EXIT, Failure, interruptedFailure, unreachableFailure, usageFailure } from "../lib/failure";
import { type OutputFlags, outputPath, requirePipe, writeOutput } from "../lib/output-file";
import { Progress } from "../lib/progress";
import { dateAndTime, printable, size, writeFacts, writeTable } from "../lib/terminal";

const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const FIND_ID_HINT = "`slipway releases list` shows the IDs; in an install link, the ID follows `id=`.";

/** @throws Failure for a text that cannot be an ID */
export function requireReleaseId(text: string): void {
  if (!UUID.test(text)) throw usageFailure(`"${text}" is not the ID of a release.`, FIND_ID_HINT);
}

/** Calls an operation of a release. @throws Failure which names the release that is not there */
export async function ofRelease<T>(id: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof Failure) || error.problem?.code !== "not_found") throw error;
    const { exitCode, problem } = error;
    const message = `There is no release ${id} that you may see.`;
    throw new Failure(exitCode, message, { hints: [FIND_ID_HINT], problem });
  }
}

/** Connects to the console of a command and loads its release. */
export async function connectToRelease(context: Context, flags: ConsoleFlags, id: string) {
  requireReleaseId(id);
  const console = await connect(context, flags);
  const release = await ofRelease(id, () => console.query("apps/get-testing-deploy-by-id", { id }));
  return { console, release };
}

export interface ListReleasesFlags extends EnvironmentFlags {
  limit: number;
  version?: string;
  json: boolean;
}

export interface ReleaseFlags extends ConsoleFlags {
  json: boolean;
}

export interface DownloadFlags extends ConsoleFlags, OutputFlags {}

export interface DeleteFlags extends ConsoleFlags {
  yes: boolean;
}

export function asJson(context: Context, value: unknown): void {
  context.out.write(`${JSON.stringify(value, null, 2)}\n`);
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
  if (flags.json) return asJson(this, items);
  if (items.length === 0) this.err.say("There are no releases.");
  writeTable(
    this.out,
    ["id", "version", "platform", "published", "size", "notes"],
    items.map((release) => [
      release.id,
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
  if (flags.json) return asJson(this, release);
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

/** A file that is downloaded, as the console describes it. */
interface DownloadedFile {
  /** Bytes. */
  size: number;
  sha256: string;
  fetch(signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
}

/** The installer of a release. */
export function installerOf(console: Console, { id, size: bytes, sha256 }: Pick<Release, "id" | "size" | "sha256">) {
  const fetch: DownloadedFile["fetch"] = (signal) =>
    console.fetchFile("apps/download-testing-deploy-file", { id }, signal);
  return { size: bytes, sha256, fetch };
}

/**
 * Receives a file and verifies its SHA-256.
 * @param to the file that is written; null for stdout
 * @throws Failure; no file is left then
 */
export async function receiveVerified(
  context: Context,
  file: DownloadedFile,
  to: { path: string; force: boolean } | null,
): Promise<void> {
  const signal = context.holdInterrupts();
  const progress = new Progress(context, "received");
  const hash = createHash("sha256");
  const response = await file.fetch(signal);
  const started = performance.now();
  const written = to === null ? "Do not use what was written to stdout." : "Nothing was written.";
  let sentBytes = 0;
  async function* received(): AsyncGenerator<Uint8Array> {
    for await (const chunk of response) {
      hash.update(chunk);
      sentBytes += chunk.length;
      const bytesPerSecond = sentBytes / Math.max(0.001, (performance.now() - started) / 1000);
      const secondsLeft = (file.size - sentBytes) / bytesPerSecond;
      progress.update({ phase: "uploading", sentBytes, totalBytes: file.size, bytesPerSecond, secondsLeft });
      yield chunk;
    }
    if (hash.digest("hex") === file.sha256) return;
    throw new Failure(EXIT.refused, `The bytes that arrived are not those of the release. ${written}`);
  }
  try {
    if (to === null) await context.out.send(received());
    else await writeOutput(to.path, received(), { mode: 0o644, force: to.force, signal });
  } catch (error) {
    if (signal.aborted) throw interruptedFailure(`Interrupted. ${written}`);
    if (error instanceof Failure) throw error;
    throw unreachableFailure(`The connection was lost. ${written}`, "Try again.");
  } finally {
    progress.end();
  }
}

/** Downloads a file under its name, or to where a command says, and verifies its SHA-256. */
export async function downloadVerified(
  context: Context,
  flags: OutputFlags,
  file: DownloadedFile & { name: string },
): Promise<void> {
  const path = outputPath(context, flags, file.name);
  if (path === null) requirePipe(context);
  await receiveVerified(context, file, path === null ? null : { path, force: flags.force });
  context.err.say(`${context.err.paint("green", context.symbols.done)} The SHA-256 matches.`);
  if (path !== null) context.out.write(`${path}\n`);
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
  if (flags.json) return asJson(this, release);
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
