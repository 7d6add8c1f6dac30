import type { OperationInput } from "@/lib/client/operation-types";
import { type Context, isInteractive } from "./context";
import { interruptedFailure } from "./failure";
import { ambiguousFailure, type Place } from "./places";
import { forPrompts, printable } from "./terminal";

type BisectAnswer = OperationInput<"apps/answer-bisect">["answer"];
type Prompts = typeof import("@clack/prompts");

/** Loads the library, which decides by TERM alone, and not by the locale, whether it draws with ASCII. */
async function loadPrompts(unicode: boolean): Promise<Prompts> {
  const { TERM } = process.env;
  if (!unicode) process.env.TERM = "linux";
  try {
    return await import("@clack/prompts");
  } finally {
    if (TERM === undefined) delete process.env.TERM;
    else process.env.TERM = TERM;
  }
}

/** Returns the answer of a prompt. @throws Failure if it was interrupted */
async function answered<T>(
  { symbols }: Context,
  prompt: (prompts: Prompts, output: NodeJS.WriteStream) => Promise<unknown>,
): Promise<T> {
  const prompts = await loadPrompts(symbols.unicode);
  const answer = await prompt(prompts, forPrompts(process.stderr, symbols));
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
  return answered<Place>(context, ({ select }, output) =>
    select({ message: "Environment", options, maxItems: 10, output }),
  );
}

/** Asks for a secret, which is not shown. */
export function askForSecret(context: Context, message: string): Promise<string> {
  return answered<string>(context, ({ password }, output) => password({ message, output }));
}

/**
 * Asks whether a build has the fault.
 * @param last the answer that can be taken back; undefined if there is none
 * @returns null for an answer that is given later
 */
export function askForAnswer(context: Context, name: string, last?: string): Promise<BisectAnswer | null> {
  return answered<BisectAnswer | null>(context, ({ select }, output) =>
    select<BisectAnswer | null>({
      message: name,
      options: [
        { value: "good", label: "Good", hint: "it works" },
        { value: "bad", label: "Bad", hint: "it has the fault" },
        { value: "skip", label: "Skip", hint: "it cannot be tried" },
        ...(last === undefined ? [] : [{ value: "undo" as const, label: "Undo", hint: last }]),
        { value: null, label: "Later" },
      ],
      output,
    }),
  );
}

/** Asks for a text. */
export function askForText(context: Context, message: string): Promise<string> {
  return answered<string>(context, ({ text }, output) => text({ message, output }));
}

/** Asks whether to go on. */
export function askToConfirm(context: Context, message: string): Promise<boolean> {
  return answered<boolean>(context, ({ confirm }, output) => confirm({ message, initialValue: false, output }));
}
