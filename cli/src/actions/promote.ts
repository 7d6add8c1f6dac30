import { filesOfBuild } from "@/lib/client/files-of-build";
import { askForPlace } from "../lib/ask";
import type { ConsoleFlags } from "../lib/console";
import type { Context } from "../lib/context";
import { EXIT, Failure, usageFailure } from "../lib/failure";
import { findPlaces, nameOfPlace } from "../lib/places";
import { connectToRelease } from "../lib/release";
import { printable } from "../lib/terminal";
import { writeJson } from "../lib/write-json";

export interface PromoteFlags extends ConsoleFlags {
  to: string;
  app?: string;
  notes?: string;
  group?: readonly string[];
  noNotify: boolean;
  onlyThisFile: boolean;
  overrideRules: boolean;
  json: boolean;
}

/** Publishes the build of a release in another environment. */
export async function promote(this: Context, flags: PromoteFlags, id: string): Promise<void> {
  if (flags.noNotify && !flags.group) throw usageFailure("--no-notify needs --group.");
  const { console, release } = await connectToRelease(this, flags, id);
  if (console.isApiToken) {
    throw new Failure(EXIT.refused, "An API token is for one environment, and a promotion needs two.", {
      hints: ["Sign in with `slipway login`, and run the command without SLIPWAY_TOKEN."],
    });
  }
  const named = { app: flags.app ?? release.app.id, environment: flags.to };
  const place = await askForPlace(this, await findPlaces(console, named));
  const releases = flags.onlyThisFile
    ? [release]
    : filesOfBuild((await console.query("apps/get-build", { id })).releases);
  const { items } = await console.command("apps/promote-testing-deploy", {
    ids: releases.map((one) => one.id),
    environmentId: place.environment.id,
    description: flags.notes,
    ...(flags.group && { groups: [...flags.group], notify: !flags.noNotify }),
    ...(flags.overrideRules && { override: true }),
  });
  if (flags.json) return writeJson(this, items);
  const isNew = items.some(({ repeated }) => !repeated);
  const what = `${printable(release.displayName)} ${printable(release.version)} (${printable(release.buildNumber)})`;
  const outcome = isNew ? `Published ${what} in` : `${what} was there already:`;
  this.err.say(`${this.err.paint("green", this.symbols.done)} ${outcome} ${nameOfPlace(place)}.`);
  this.out.write(items.map(({ installUrl }) => `${installUrl}\n`).join(""));
}
