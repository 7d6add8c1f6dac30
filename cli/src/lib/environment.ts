import { askForPlace } from "./ask";
import { type Console, type ConsoleFlags, connect, settingsOf } from "./console";
import type { Context } from "./context";
import { findPlaces, type Place } from "./places";

/** The options of commands about one environment. */
export interface EnvironmentFlags extends ConsoleFlags {
  app?: string;
  environment?: string;
}

/** Connects to the console of a command and finds its environment. */
export async function connectToEnvironment(
  context: Context,
  flags: EnvironmentFlags,
): Promise<{ console: Console; place: Place }> {
  const console = await connect(context, flags);
  const { app, environment } = settingsOf(context, flags);
  return { console, place: await askForPlace(context, await findPlaces(console, { app, environment })) };
}
