import { type Context, isInteractive } from "./context";
import { interruptedFailure } from "./failure";
import { ambiguousFailure, type Place } from "./places";
import { printable } from "./terminal";

/** Returns the answer of a prompt. @throws Failure if it was interrupted */
async function answered<T>(prompt: (prompts: typeof import("@clack/prompts")) => Promise<unknown>): Promise<T> {
  const prompts = await import("@clack/prompts");
  const answer = await prompt(prompts);
  if (prompts.isCancel(answer)) throw interruptedFailure();
  return answer as T;
}

/** Lets a person choose one of several environments. @throws Failure if nobody can be asked */
export function askForPlace(context: Context, places: readonly [Place, ...Place[]]): Promise<Place> {
  if (places.length === 1) return Promise.resolve(places[0]);
  if (!isInteractive(context)) throw ambiguousFailure(places);
  const options = places.map((place) => ({
    value: place,
    label: printable(place.environment.name),
    hint: printable(place.app.name),
  }));
  return answered<Place>(({ select }) =>
    select({ message: "Environment", options, maxItems: 10, output: process.stderr }),
  );
}

/** Asks for a secret, which is not shown. */
export function askForSecret(message: string): Promise<string> {
  return answered<string>(({ password }) => password({ message, output: process.stderr }));
}

/** Asks whether to go on. */
export function askToConfirm(message: string): Promise<boolean> {
  return answered<boolean>(({ confirm }) => confirm({ message, initialValue: false, output: process.stderr }));
}
