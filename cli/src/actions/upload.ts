import { statSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { Installer } from "@slipway/installers";
import type { OperationInput, OperationOutput } from "@/lib/client/operation-types";
import { terminalQr } from "../../../scripts/lib/terminal-qr.mjs";
import { askForPlace } from "../lib/ask";
import { detectBuild } from "../lib/ci";
import { type Console, type ConsoleFlags, connect, settingsOf } from "../lib/console";
import type { Context } from "../lib/context";
import { EXIT, Failure, fileFailure, interruptedFailure, usageFailure } from "../lib/failure";
import { addFurtherFiles, type FurtherFileFlags, prepareFurtherFiles } from "../lib/further-files";
import { gitState, notesFromGit, whyNoCommits } from "../lib/git";
import { fileSha256, readInstaller } from "../lib/installer";
import { appendOutputs, appendSummary, outputVariable } from "../lib/outputs";
import { fileToUpload, partTransport } from "../lib/part-transport";
import { matchPlaces, placeOfToken, publishingPlaces } from "../lib/places";
import { readText } from "../lib/read-text";
import { patienceFor, repeatCommand } from "../lib/repeat-command";
import { sendFile } from "../lib/send-file";
import { printable, size } from "../lib/terminal";
import { type TimeLimit, timeLimit } from "../lib/time-limit";
import { endOfToken } from "../lib/token";
import { fingerprintOf, uploadMemory } from "../lib/upload-memory";
import { writeJson } from "../lib/write-json";
import { findGroup, groupsOf } from "./groups";
import { warningsOf } from "./inspect";

export interface UploadFlags extends ConsoleFlags, Omit<FurtherFileFlags, "file"> {
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
  ];
}

/**
 * Connects to the console while the installer is read, so that a console which answers now is waited for if it restarts later.
 * @throws Failure
 */
async function reach(context: Context, flags: UploadFlags, limit: TimeLimit): Promise<Console> {
  const isGiven = flags.timeout !== undefined;
  const console = await connect(context, flags, (one) => patienceFor(context, one, { limit, isGiven }));
  if (!console.hasAnswered) await console.query("config/get-app-config", {});
  return console;
}

/** Publishes an installer. */
export async function upload(this: Context, flags: UploadFlags, file: string): Promise<void> {
  const path = resolve(this.folder, file);
  if (flags.noNotify && !flags.group) throw usageFailure("--no-notify needs --group.");
  const named = settingsOf(this, flags);
  const timeoutMs = (flags.timeout ?? DEFAULT_TIMEOUT_SECONDS) * 1000;
  const limit = timeLimit(timeoutMs);
  const connecting = reach(this, flags, limit);
  // What is wrong with the installer is said first.
  connecting.catch(() => undefined);
  const installer = await readInstaller(path);
  const description = await notesOf(this, flags, installer);
  const metadata = metadataOf(this, flags);
  // Before anything is sent, so that symbols of another build do not leave a release without them.
  await using further = await prepareFurtherFiles(this, flags, { path, installer });
  const console = await connecting;
  for (const warning of [...warningsOf(installer, new Date()), ...(await tokenWarnings(console))]) warn(this, warning);
  const places = matchPlaces(await publishingPlaces(console, installer.identifier), named);
  const place = await askForPlace(this, places);
  if (flags.group) await requireGroups(console, place.environment.id, flags.group);
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
  const memory = uploadMemory(this, fingerprintOf(path), { console: console.url, environmentId: place.environment.id });
  const fileId = await sendFile(this, console, {
    path,
    file: fileToUpload(basename(path), bytes),
    sha256: bytes <= HASH_FIRST_BYTES ? sha256 : Promise.resolve(null),
    transport: partTransport(console, path),
    memory,
    limit,
    interrupted,
  });
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
  const { release, isSame } = await publish(this, console, input, { sha256, limit, interrupted });
  memory.forget();
  if (!isSame) {
    throw new Failure(EXIT.refused, "The SHA-256 of the published file is not that of the file on this machine.", {
      hints: [`The file was changed while it was sent. Delete the release: slipway releases delete ${release.id}`],
    });
  }
  const kept = release.repeated ? keptFields(flags, release, description) : [];
  if (kept.length > 0) {
    warn(this, `It was published before, and this was not changed: ${kept.join(", ")}. Change it in the console.`);
  }
  const files = await addFurtherFiles(this, console, { releaseId: release.id, further, timeoutMs, interrupted });
  if (flags.json) writeJson(this, { ...release, ...(files.length > 0 && { files }) });
  else showRelease(this, release);
  // Last, because a file that cannot be written fails the command: what was published is shown before.
  writeOutputs(this, release);
}

/** The scope that telling groups needs. */
const TELLING_SCOPE = "release:update";

/**
 * Checks before anything is sent that the caller may tell the groups, and that there are such groups.
 * @throws Failure which names the scope that a token lacks
 */
async function requireGroups(console: Console, environmentId: string, wanted: readonly string[]): Promise<void> {
  try {
    const groups = await groupsOf(console, environmentId);
    for (const name of wanted) findGroup(groups, name);
  } catch (error) {
    if (!(error instanceof Failure) || error.problem?.code !== "forbidden") throw error;
    const { exitCode, problem } = error;
    throw new Failure(
      exitCode,
      `--group needs ${console.isApiToken ? "a token with the scope" : "the permission"} ${TELLING_SCOPE}.`,
      {
        problem,
        hints: [
          console.isApiToken
            ? "Nothing was sent. Create a token with it in the console under Settings, API tokens, or leave --group out."
            : "Nothing was sent. Ask an administrator for it, or leave --group out.",
        ],
      },
    );
  }
}

/** Publishes what was sent. @returns the release, and whether its bytes are those of the file */
async function publish(
  context: Context,
  console: Console,
  input: OperationInput<"apps/create-testing-deploy">,
  { sha256, limit, interrupted }: { sha256: Promise<string>; limit: TimeLimit; interrupted: AbortSignal },
): Promise<{ release: Release; isSame: boolean }> {
  try {
    const release = await repeatCommand(context, console, "apps/create-testing-deploy", input, { limit, interrupted });
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
