import type { OperationOutput } from "@/lib/client/operation-types";
import type { Console, ConsoleFlags } from "../lib/console";
import type { Context } from "../lib/context";
import { connectToEnvironment, type EnvironmentFlags } from "../lib/environment";
import { usageFailure } from "../lib/failure";
import { readText } from "../lib/read-text";
import { connectToRelease } from "../lib/release";
import { withSecondFactor } from "../lib/second-factor";
import { printable, writeTable } from "../lib/terminal";
import { writeJson } from "../lib/write-json";

export interface ListGroupsFlags extends EnvironmentFlags {
  json: boolean;
}

export interface ImportGroupFlags extends ListGroupsFlags {
  dryRun: boolean;
}

export interface TellGroupsFlags extends ConsoleFlags {
  group: readonly string[];
  noNotify: boolean;
  json: boolean;
}

type Group = OperationOutput<"testers/get-distribution-groups">["items"][number];

/** The groups of testers for the releases of an environment. */
export async function groupsOf(console: Console, environmentId: string): Promise<Group[]> {
  return (await console.query("testers/get-distribution-groups", { environmentId })).items;
}

/** Finds a group by its ID or name. @throws Failure which names the groups that there are */
export function findGroup(groups: readonly Group[], wanted: string): Group {
  const found = groups.find(({ id, name }) => id === wanted || name.toLowerCase() === wanted.trim().toLowerCase());
  if (found) return found;
  const names = groups.map(({ name }) => printable(name)).join(", ");
  const hint = names === "" ? "The application has no group for this environment yet." : `There are: ${names}`;
  throw usageFailure(`There is no group of testers "${printable(wanted)}" for this environment.`, hint);
}

/** Lists the groups of testers for the releases of an environment. */
export async function listGroups(this: Context, flags: ListGroupsFlags): Promise<void> {
  const { console, place } = await connectToEnvironment(this, flags);
  const groups = await groupsOf(console, place.environment.id);
  if (flags.json) return writeJson(this, groups);
  if (groups.length === 0) this.err.say("There are no groups of testers.");
  const rows = groups.map(({ id, name, members, pending }) => [id, name, String(members), String(pending)]);
  writeTable(this.out, ["id", "name", "members", "not agreed yet"], rows);
}

/** Adds the people of a CSV file to a group. */
export async function importGroup(this: Context, flags: ImportGroupFlags, group: string, file: string): Promise<void> {
  const csv = await readText(this, file);
  const { console, place } = await connectToEnvironment(this, flags);
  const { id, name } = findGroup(await groupsOf(console, place.environment.id), group);
  const { dryRun } = flags;
  const done = await withSecondFactor(this, console, () =>
    console.command("testers/import-tester-group-members", { groupId: id, csv, dryRun }),
  );
  if (flags.json) return writeJson(this, done);
  for (const { line, text } of done.invalidRows) this.err.say(`Line ${line} has no valid email: ${printable(text)}`);
  const verb = dryRun ? "would be added to" : "added to";
  this.err.say(`${done.added} ${verb} ${printable(name)}, ${done.already} were members, ${done.invalid} invalid.`);
}

/** Tells groups of testers of a release. */
export async function tellGroups(this: Context, flags: TellGroupsFlags, id: string): Promise<void> {
  const { console, release } = await connectToRelease(this, flags, id);
  const { items, mail } = await console.query("testers/get-distribution-groups", {
    environmentId: release.environment.id,
  });
  const groupIds = flags.group.map((wanted) => findGroup(items, wanted).id);
  const notify = !flags.noNotify;
  const before = await console.query("testers/get-release-distributions", { releaseId: id, limit: 1 });
  const toldBefore = new Set(
    before.distributions.flatMap((one) => (one.notify ? one.groups.map((group) => group.id) : [])),
  );
  const distribution = await console.command("testers/distribute-release", { releaseId: id, groupIds, notify });
  if (flags.json) return writeJson(this, distribution);
  const namesOf = (those: typeof distribution.groups) => those.map(({ name }) => printable(name ?? "")).join(", ");
  if (!notify) return this.err.say(`${namesOf(distribution.groups)} may install the release.`);
  const again = distribution.groups.filter((group) => toldBefore.has(group.id));
  const first = distribution.groups.filter((group) => !toldBefore.has(group.id));
  if (first.length > 0) this.err.say(`${namesOf(first)} will be told.`);
  if (again.length > 0) {
    this.err.say(`${namesOf(again)}: told of this release before. Only members who have not been told yet will be.`);
  }
  if (!mail) this.err.say("The console has no mail server: only browsers with notifications get a message.");
}
