import { statSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { Installer } from "@slipway/installers";
import type { OperationInput, OperationOutput } from "@/lib/client/operation-types";
import { Uploader, type UploadOutcome } from "@/lib/client/upload/uploader";
import { terminalQr } from "../../../scripts/lib/terminal-qr.mjs";
import { askForPlace } from "../lib/ask";
import { detectBuild } from "../lib/ci";
import { type Console, type ConsoleFlags, connect, networkFailure, settingsOf } from "../lib/console";
import type { Context } from "../lib/context";
import {
  EXIT,
  Failure,
  fileFailure,
  interruptedFailure,
  refusedFailure,
  unreachableFailure,
  usageFailure,
} from "../lib/failure";
import { gitState, notesFromGit, whyNoCommits } from "../lib/git";
import { fileSha256, readInstaller } from "../lib/installer";
import { appendOutputs, appendSummary, outputVariable } from "../lib/outputs";
import { fileToUpload, partTransport } from "../lib/part-transport";
import { matchPlaces, type Place, placeOfToken, publishingPlaces } from "../lib/places";
import { Progress } from "../lib/progress";
import { readText } from "../lib/read-text";
import { printable, size } from "../lib/terminal";
import { endOfToken } from "../lib/token";
import { uploadMemory } from "../lib/upload-memory";
import { warningsOf } from "./inspect";

export interface UploadFlags extends ConsoleFlags {
  app?: string;
  environment?: string;
  notes?: string;
  notesFile?: string;
  notesFromGit: boolean;
  branch?: string;
  commit?: string;
  buildUrl?: string;
  metadata?: readonly [string, string][];
  configVersion?: number;
  mandatory: boolean;
  group?: readonly string[];
  noNotify: boolean;
  overrideRules: boolean;
  /** Seconds. */
  timeout?: number;
  json: boolean;
}

type Release = OperationOutput<"apps/create-testing-deploy">;

const DEFAULT_TIMEOUT_SECONDS = 3600;
/** The longest release notes, in UTF-16 code units. */
const MAX_NOTES = 5_000;
/** The hash of a larger file is computed while it is sent, so that nothing waits for it. */
const HASH_FIRST_BYTES = 100_000_000;

/** The server flushes each part to disk before it answers, so that more parts use a fast network better. */
export const MAX_CONCURRENT_PARTS = 8;

const CONTINUE_HINT = "Run the same command again: it continues with the parts that have arrived.";

/** The release notes: those of the command line, otherwise the commits since the last tag, otherwise the version. */
async function notesOf(context: Context, flags: UploadFlags, installer: Installer): Promise<string> {
  const given = [flags.notes, flags.notesFile, flags.notesFromGit || undefined].filter((one) => one !== undefined);
  if (given.length > 1) throw usageFailure("--notes, --notes-file and --notes-from-git cannot be used together.");
  let notes = flags.notes;
  if (flags.notesFile !== undefined) notes = await readText(context, flags.notesFile);
  if (flags.notesFromGit) {
    notes = notesFromGit(context.folder, MAX_NOTES) ?? notesOfBuild(context);
  }
  const text = notes?.trim() || `${installer.displayName} ${installer.version} (${installer.buildNumber})`;
  if (text.length > MAX_NOTES) throw usageFailure(`The release notes are longer than ${MAX_NOTES} characters.`);
  return text;
}

/**
 * Where git cannot tell the commits, the subject of the one that the CI system names.
 * @throws Failure if it names none
 */
function notesOfBuild(context: Context): string {
  const why = whyNoCommits(context.folder);
  const build = detectBuild(context.environment);
  const subject = build?.message?.split("\n", 1)[0]?.trim();
  if (!build || !subject) {
    throw usageFailure(why, "--notes-from-git needs git and the commits. Otherwise, write the notes with --notes.");
  }
  context.err.say(`${why} The release notes are the subject of the commit that ${build.system} names.`);
  return `- ${subject}`;
}

/** Where the build comes from: the command line, otherwise the CI system, otherwise the repository of the folder. */
function metadataOf(context: Context, flags: UploadFlags): Record<string, string> {
  const build = detectBuild(context.environment);
  const repository = build?.commit ? null : gitState(context.folder);
  const facts = {
    gitCommit: flags.commit ?? build?.commit ?? repository?.commit,
    gitBranch: flags.branch ?? build?.branch ?? repository?.branch,
    buildUrl: flags.buildUrl ?? build?.url,
  };
  const known = Object.entries(facts).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return { ...Object.fromEntries(known), ...Object.fromEntries(flags.metadata ?? []) };
}

/** Sends the file. @returns its ID at the console */
async function send(
  context: Context,
  console: Console,
  upload: {
    path: string;
    size: number;
    place: Place;
    sha256: Promise<string>;
    timeoutMs: number;
    interrupted: AbortSignal;
  },
): Promise<string> {
  const { path, place, timeoutMs } = upload;
  const uploader = new Uploader({
    file: fileToUpload(basename(path), upload.size),
    sha256: upload.size <= HASH_FIRST_BYTES ? upload.sha256 : Promise.resolve(null),
    transport: partTransport(console, path),
    memory: uploadMemory(context, path, { console: console.url, environmentId: place.environment.id }),
    connection: { online: () => true, subscribe: () => () => undefined },
    clock: {
      now: () => performance.now(),
      after: (ms, run) => {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
    },
    random: Math.random,
    maxConcurrentParts: MAX_CONCURRENT_PARTS,
  });
  const progress = new Progress(context);
  const stop = () => uploader.leave();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    stop();
  }, timeoutMs);
  upload.interrupted.addEventListener("abort", stop);
  if (upload.interrupted.aborted) stop();
  const unsubscribe = uploader.subscribe(() => progress.update(uploader.snapshot()));
  let outcome: UploadOutcome;
  try {
    outcome = await uploader.run();
  } finally {
    clearTimeout(timer);
    upload.interrupted.removeEventListener("abort", stop);
    unsubscribe();
    progress.end();
  }
  if (outcome.status === "done") {
    const { resumedBytes } = uploader.snapshot();
    if (outcome.reused) context.err.say("The console has these bytes already; nothing was sent.");
    else if (resumedBytes > 0) context.err.say(`Continued an earlier upload: ${size(resumedBytes)} had arrived.`);
    return outcome.fileId;
  }
  if (outcome.status === "cancelled") {
    if (timedOut) throw unreachableFailure(`The upload took longer than ${timeoutMs / 1000} seconds.`, CONTINUE_HINT);
    throw interruptedFailure(`Interrupted. ${CONTINUE_HINT}`);
  }
  if (outcome.problem === "file_unreadable") {
    throw usageFailure(`${path} was changed, moved or removed while it was sent.`);
  }
  if (outcome.problem.code === "network") throw networkFailure(console.url, undefined);
  if (outcome.problem.code === "checksum_mismatch") {
    throw new Failure(EXIT.refused, "The bytes that arrived are not those of the file.", {
      hints: ["The file was changed while it was sent, or the network damages data. Try again."],
      problem: outcome.problem,
    });
  }
  throw refusedFailure(outcome.problem, [CONTINUE_HINT]);
}

/** Tells the CI system, which names the files. */
function writeOutputs({ environment }: Context, release: Release): void {
  const { GITHUB_OUTPUT: github, GITHUB_STEP_SUMMARY: summary, SLIPWAY_OUTPUT_FILE: variables } = environment;
  if (github) appendOutputs(github, release, (name) => name);
  if (variables) appendOutputs(variables, release, outputVariable);
  if (summary) appendSummary(summary, release);
}

function warn({ err }: Context, text: string): void {
  err.say(`${err.paint("yellow", "Warning:")} ${text}`);
}

/** A warning where an API token ends soon. A token that is refused here is refused by the upload itself. */
async function tokenWarnings(console: Console): Promise<string[]> {
  if (!console.isApiToken) return [];
  try {
    const { text, isSoon } = endOfToken((await placeOfToken(console)).validUntil, new Date());
    return isSoon
      ? [`The API token ends soon. ${text} Create another one in the console under Settings, API tokens.`]
      : [];
  } catch (error) {
    if (error instanceof Failure) return [];
    throw error;
  }
}

/** The options of the command that do not hold for a release that was published before. */
function keptFields(flags: UploadFlags, release: Release, description: string): string[] {
  const hasNotes = flags.notes !== undefined || flags.notesFile !== undefined || flags.notesFromGit;
  const { mandatory, configurationVersion } = release;
  const metadata = (flags.metadata ?? []).filter(([key, value]) => release.metadata[key] !== value);
  return [
    ...(hasNotes && release.description !== description ? ["the release notes"] : []),
    ...(flags.mandatory && !mandatory ? ["--mandatory"] : []),
    ...(flags.configVersion !== undefined && configurationVersion !== flags.configVersion ? ["--config-version"] : []),
    ...metadata.map(([key]) => `--metadata ${key}`),
    ...(flags.group ? ["--group"] : []),
  ];
}

/** Publishes an installer. */
export async function upload(this: Context, flags: UploadFlags, file: string): Promise<void> {
  const path = resolve(this.folder, file);
  if (flags.noNotify && !flags.group) throw usageFailure("--no-notify needs --group.");
  const named = settingsOf(this, flags);
  const installer = await readInstaller(path);
  const description = await notesOf(this, flags, installer);
  const metadata = metadataOf(this, flags);
  const console = await connect(this, flags);
  for (const warning of [...warningsOf(installer, new Date()), ...(await tokenWarnings(console))]) warn(this, warning);
  const places = matchPlaces(await publishingPlaces(console, installer.identifier), named);
  const place = await askForPlace(this, places);
  const { size: bytes } = statSync(path);
  const title = `${installer.displayName} ${installer.version} (${installer.buildNumber})`;
  this.err.say(
    `${printable(title)}, ${size(bytes)}, to ${printable(place.app.name)} / ${printable(place.environment.name)} at ${console.url}`,
  );
  const interrupted = this.holdInterrupts();
  const sha256 = fileSha256(path, interrupted).catch((error: unknown) => {
    throw fileFailure(path, error) ?? error;
  });
  sha256.catch(() => undefined);
  const timeoutMs = (flags.timeout ?? DEFAULT_TIMEOUT_SECONDS) * 1000;
  const fileId = await send(this, console, { path, size: bytes, place, sha256, timeoutMs, interrupted });
  const input = {
    environmentId: place.environment.id,
    fileId,
    description,
    version: installer.version,
    buildNumber: installer.buildNumber,
    metadata,
    ...(flags.mandatory && { mandatory: true }),
    ...(flags.overrideRules && { override: true }),
    ...(flags.group && { groups: [...flags.group], notify: !flags.noNotify }),
    ...(flags.configVersion !== undefined && { configurationVersion: flags.configVersion }),
  };
  const { release, isSame } = await publish(console, input, { sha256, interrupted });
  uploadMemory(this, path, { console: console.url, environmentId: place.environment.id }).forget();
  if (!isSame) {
    throw new Failure(EXIT.refused, "The SHA-256 of the published file is not that of the file on this machine.", {
      hints: [`The file was changed while it was sent. Delete the release: slipway releases delete ${release.id}`],
    });
  }
  const kept = release.repeated ? keptFields(flags, release, description) : [];
  if (kept.length > 0) {
    warn(this, `It was published before, and this was not changed: ${kept.join(", ")}. Change it in the console.`);
  }
  if (flags.json) this.out.write(`${JSON.stringify(release, null, 2)}\n`);
  else showRelease(this, release);
  // Last, because a file that cannot be written fails the command: what was published is shown before.
  writeOutputs(this, release);
}

/** Publishes what was sent. @returns the release, and whether its bytes are those of the file */
async function publish(
  console: Console,
  input: OperationInput<"apps/create-testing-deploy">,
  { sha256, interrupted }: { sha256: Promise<string>; interrupted: AbortSignal },
): Promise<{ release: Release; isSame: boolean }> {
  try {
    const call = console.tryCommand("apps/create-testing-deploy", input, { signal: interrupted });
    const release = await console.orFailure(call);
    return { release, isSame: release.sha256 === (await sha256) };
  } catch (error) {
    if (interrupted.aborted) {
      throw interruptedFailure(
        "Interrupted. The release may be published already. Run the same command again: it publishes the same file once.",
      );
    }
    throw error;
  }
}

/** Writes the install link, and its QR code where a person sees it. */
function showRelease(context: Context, release: Release): void {
  const { symbols, err, out, environment } = context;
  const done = release.repeated ? "Published before" : "Published";
  err.say(`${err.paint("green", symbols.done)} ${done}; the SHA-256 matches.`);
  out.write(`${release.installUrl}\n`);
  if (err.isTTY && symbols.unicode && !environment.CI) {
    const code = terminalQr(release.installUrl);
    const width = Math.max(...code.split("\n").map((line) => [...line].length));
    // The sequences of the colours are part of a line and take no space.
    if (width - 12 <= err.columns) err.write(`\n${code}\n`);
  }
}
