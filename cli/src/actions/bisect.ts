import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OperationInput, OperationOutput } from "@/lib/client/operation-types";
import { safeFileName } from "@/lib/kernel/file-name";
import { askForAnswer } from "../lib/ask";
import { type Console, connect } from "../lib/console";
import { type Context, isInteractive } from "../lib/context";
import { receiveVerified } from "../lib/download";
import { EXIT, Failure, interruptedFailure, usageFailure } from "../lib/failure";
import { installerOf, ofRelease, type ReleaseFlags, requireReleaseId } from "../lib/release";
import { dateAndTime, printable, writeFacts } from "../lib/terminal";
import { writeJson } from "../lib/write-json";
import { diffLines, readDiff } from "./diff";

export interface BisectFlags extends ReleaseFlags {
  good?: string;
  bad?: string;
  run?: string;
  undo: boolean;
  all: boolean;
}

type Bisect = OperationOutput<"apps/get-bisect">;
type BisectAnswer = OperationInput<"apps/answer-bisect">["answer"];
type Next = NonNullable<Bisect["next"]>;

/** The exit codes of the command of --run, as those of `git bisect run`. */
const [GOOD, SKIP, FIRST_UNKNOWN] = [0, 125, 126];

const nameOf = ({ version, buildNumber }: { version: string; buildNumber: string }) =>
  printable(`${version} (${buildNumber})`);

/** Begins a search, or finds the one that goes on. */
async function openBisect(console: Console, flags: BisectFlags, id?: string): Promise<Bisect> {
  const { good, bad, undo } = flags;
  if (id !== undefined) {
    if (good !== undefined || bad !== undefined) throw usageFailure("Name a search, or --good and --bad.");
    requireReleaseId(id);
    return undo
      ? console.command("apps/answer-bisect", { id, answer: "undo" })
      : console.query("apps/get-bisect", { id });
  }
  if (undo) throw usageFailure("Name the search whose last answer is taken back.");
  if (good === undefined || bad === undefined) {
    const { items } = await console.query("apps/get-own-bisects", {});
    const open = items.filter(({ done }) => !done).map((one) => `slipway bisect ${one.id}   ${rangeOf(one)}`);
    throw usageFailure(
      "Name a good and a bad release with --good and --bad.",
      ...(open.length > 0 ? [`These searches are not over:\n${open.join("\n")}`] : []),
    );
  }
  for (const one of [good, bad]) requireReleaseId(one);
  const { environment } = await ofRelease(good, () => console.query("apps/get-testing-deploy-by-id", { id: good }));
  return console.command("apps/start-bisect", { goodId: good, badId: bad, environmentId: environment.id });
}

function rangeOf({ good, bad, app, environment }: Pick<Bisect, "good" | "bad" | "app" | "environment">): string {
  return `${nameOf(good)} - ${nameOf(bad)}, ${printable(app.name)} / ${printable(environment.name)}`;
}

/** Says how far a search is. */
function saySteps({ err }: Context, { remaining, stepsLeft }: Bisect): void {
  const builds = remaining === 1 ? "1 build" : `${remaining} builds`;
  err.say(`${builds} in between, at most ${stepsLeft} to try.`);
}

/** Starts the command of --run with the path of an installer. @returns its exit code; null if a signal ended it */
function runWith(context: Context, command: string, { next, path }: { next: Next; path: string }) {
  // The command does not get the token of the tool.
  const { SLIPWAY_TOKEN: _, ...environment } = context.environment;
  const build: Record<string, string> = {
    SLIPWAY_FILE: path,
    SLIPWAY_RELEASE: next.id,
    SLIPWAY_VERSION: next.version,
    SLIPWAY_BUILD: next.buildNumber,
  };
  const isWindows = context.platform === "win32";
  // A command with variables names the file itself, if it needs it.
  const usesVariables = command.includes(isWindows ? "%" : "$");
  const [program, args] = isWindows
    ? ["cmd.exe", ["/d", "/s", "/c", usesVariables ? `"${command}"` : `"${command} "${path}""`]]
    : ["/bin/sh", ["-c", usesVariables ? command : `${command} "$@"`, "slipway-bisect", path]];
  return new Promise<number | null>((resolve, reject) => {
    // What it writes is no result of the tool, which stdout is for.
    const child = spawn(program as string, args as string[], {
      cwd: context.folder,
      env: { ...environment, ...build } as NodeJS.ProcessEnv,
      stdio: ["inherit", 2, 2],
      windowsVerbatimArguments: true,
    });
    child.on("error", () => reject(usageFailure("The command of --run cannot be started.")));
    child.on("close", resolve);
  });
}

/** The answer of the command of --run about a build, which is downloaded for it and deleted afterwards. */
async function answerByCommand(context: Context, console: Console, command: string, next: Next): Promise<BisectAnswer> {
  const signal = context.holdInterrupts();
  const folder = mkdtempSync(join(tmpdir(), "slipway-bisect-"));
  try {
    // The name comes from the console, which may be another one than the tool expects.
    const path = join(folder, safeFileName(next.fileName, [next.installer.kind]));
    await receiveVerified(context, installerOf(console, next), { path, force: false });
    const code = await runWith(context, command, { next, path });
    if (signal.aborted) throw interruptedFailure();
    if (code === null || code >= FIRST_UNKNOWN) {
      throw new Failure(
        EXIT.refused,
        `The command ended with ${code === null ? "a signal" : `exit code ${code}`}, which is no answer about ${nameOf(next)}.`,
        { hints: ["0 means good, 125 that the build cannot be tried, and 1 to 124 bad."] },
      );
    }
    return code === GOOD ? "good" : code === SKIP ? "skip" : "bad";
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Asks a person about a build. @returns null if they go on later */
async function answerByPerson(context: Context, next: Next, last: Bisect["last"]): Promise<BisectAnswer | null> {
  if (!isInteractive(context)) {
    throw usageFailure("Nobody can be asked.", "Name a command that tries a build: --run <command>");
  }
  context.err.say(`Install it: ${printable(next.installUrl)}`);
  return askForAnswer(context, nameOf(next), last ? `${nameOf(last)} is not ${last.answer}` : undefined);
}

/** Says what a search found. */
async function sayResult(context: Context, console: Console, bisect: Bisect, all: boolean): Promise<void> {
  const { firstBad, lastGood, suspects, deleted, diff } = bisect;
  if (!firstBad || !lastGood) {
    context.err.say("Only skipped builds are left. One of these introduced the bug:");
    context.out.write(suspects.map((one) => `${one.id}  ${nameOf(one)}\n`).join(""));
    return;
  }
  context.err.say(`${context.err.paint("green", context.symbols.done)} ${nameOf(firstBad)} is the first bad build.`);
  writeFacts(context.out, [
    ["First bad", `${firstBad.version} (${firstBad.buildNumber})`],
    ["ID", firstBad.id],
    ["Published", dateAndTime(firstBad.deployDate)],
    ...(firstBad.commit ? [["Commit", firstBad.commit] as const] : []),
    ["Last good", `${lastGood.version} (${lastGood.buildNumber})`],
    ...(lastGood.commit ? [["Its commit", lastGood.commit] as const] : []),
    ...(deleted > 0 ? [["In between", `${deleted} deleted`] as const] : []),
  ]);
  if (firstBad.description) context.out.write(`\n${printable(firstBad.description)}\n`);
  if (!diff) return;
  const { from, to } = diff;
  const { installer } = await console.query("apps/get-testing-deploy-by-id", { id: to });
  const lines = diffLines(await readDiff(console, from, to), { kind: installer.kind, all });
  context.out.write(`\n${lines.map((line) => `${printable(line)}\n`).join("")}`);
}

/** Finds the build that introduced a bug: asks about a build in the middle, or runs a command with it, until it is known. */
export async function bisect(this: Context, flags: BisectFlags, id?: string): Promise<void> {
  const console = await connect(this, flags);
  let found = await openBisect(console, flags, id);
  const goOn = `Go on with: slipway bisect ${found.id}${flags.run === undefined ? "" : " --run <command>"}`;
  while (found.next) {
    const { next, last } = found;
    saySteps(this, found);
    this.err.say(`Try ${nameOf(next)}, published ${dateAndTime(next.deployDate)}.`);
    const answer = await (flags.run === undefined
      ? answerByPerson(this, next, last)
      : answerByCommand(this, console, flags.run, next)
    ).catch((error: unknown) => {
      this.err.say(goOn);
      throw error;
    });
    if (answer === null) {
      this.err.say(goOn);
      return;
    }
    if (flags.run !== undefined) this.err.say(`${nameOf(next)}: ${answer}`);
    const releaseId = answer === "undo" ? last?.id : next.id;
    found = await console.command("apps/answer-bisect", { id: found.id, answer, ...(releaseId && { releaseId }) });
  }
  if (flags.json) writeJson(this, found);
  else await sayResult(this, console, found, flags.all);
  // As `git bisect run`: the build is not known.
  if (!found.firstBad) process.exitCode = EXIT.refused;
}
