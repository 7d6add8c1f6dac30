import type { Console } from "./console";
import { EXIT, Failure, usageFailure } from "./failure";
import { printable } from "./terminal";

/** An environment of an application. */
export interface Place {
  app: { id: string; name: string; identifier?: string };
  environment: { id: string; name: string };
}

function isApp(named: string, { id, name, identifier }: Place["app"]): boolean {
  return named === id || named === identifier || named.toLowerCase() === name.toLowerCase();
}

function isEnvironment(named: string, { id, name }: Place["environment"]): boolean {
  return named === id || named.toLowerCase() === name.toLowerCase();
}

function listOf(names: readonly string[]): string {
  return [...new Set(names)].map(printable).join(", ");
}

/**
 * Chooses the environment that a command names among those that the caller reaches.
 * @param named undefined if the command names none; that is enough if there is only one
 * @returns several if a person has to choose
 * @throws Failure which lists the names that exist
 */
export function matchPlaces(
  places: readonly Place[],
  named: { app?: string; environment?: string },
): [Place, ...Place[]] {
  const [first] = places;
  if (!first) {
    throw new Failure(EXIT.refused, "There is no environment that you may use for this.", {
      hints: ["Ask an administrator of the console for access."],
    });
  }
  const { app, environment } = named;
  const ofApp = app === undefined ? [...places] : places.filter((place) => isApp(app, place.app));
  if (ofApp.length === 0) {
    throw usageFailure(
      `There is no application "${app}".`,
      `The applications are: ${listOf(places.map((place) => place.app.identifier ?? place.app.name))}`,
    );
  }
  const found =
    environment === undefined ? ofApp : ofApp.filter((place) => isEnvironment(environment, place.environment));
  const [one, ...others] = found;
  if (!one) {
    throw usageFailure(
      `There is no environment "${environment}".`,
      `The environments are: ${listOf(ofApp.map((place) => place.environment.name))}`,
    );
  }
  return [one, ...others];
}

/** The failure where several environments match and nobody can be asked. */
export function ambiguousFailure(places: readonly Place[]): Failure {
  return usageFailure(
    "Several environments match. Name one with --environment, and its application with --app.",
    `The environments are: ${listOf(places.map(({ app, environment }) => `${app.identifier ?? app.name} / ${environment.name}`))}`,
  );
}

/** The environments in which the caller may publish an installer. */
export async function publishingPlaces(console: Console, identifier: string): Promise<Place[]> {
  const { items, inactiveApp } = await console.query("apps/get-publishing-places", { identifier });
  const places = items.flatMap(({ app, environments }) => environments.map((environment) => ({ app, environment })));
  if (places.length > 0) return places;
  const reason = inactiveApp
    ? `The application "${printable(inactiveApp.name)}" is inactive.`
    : `No application with the identifier "${printable(identifier)}" has an environment in which you may publish.`;
  const hint = console.isApiToken
    ? `This API token is for ${nameOfPlace(await placeOfToken(console))}.`
    : `Check the application at ${console.url}, or ask for access.`;
  throw new Failure(EXIT.refused, reason, { hints: [hint] });
}

/** The number of environments of a page of a list, and of pages that are read. */
const PAGE = { limit: 100, count: 20 };

/** All items of a list, page by page. */
export async function allItems<Item>(
  page: (cursor: string | undefined) => Promise<{ items: Item[]; nextCursor: string | null }>,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  for (let count = 0; count < PAGE.count; count += 1) {
    const { items: some, nextCursor } = await page(cursor);
    items.push(...some);
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  return items;
}

/** The environments that a person reaches, of the named application or of all. */
async function reachedPlaces(console: Console, app: string | undefined): Promise<Place[]> {
  const { limit } = PAGE;
  if (app === undefined) {
    const environments = await allItems((cursor) =>
      console.query("apps/get-authorized-environments", { limit, cursor }),
    );
    return environments.map(({ id, name, app: its }) => ({ app: its, environment: { id, name } }));
  }
  const apps = await allItems((cursor) => console.query("apps/get-authorized-apps", { limit, cursor }));
  const found = apps.find((one) => isApp(app, one));
  if (!found) {
    throw usageFailure(
      `There is no application "${app}".`,
      `The applications are: ${listOf(apps.map(({ identifier }) => identifier))}`,
    );
  }
  const environments = await allItems((cursor) =>
    console.query("apps/get-app-environments", { appId: found.id, limit, cursor }),
  );
  return environments.map(({ id, name }) => ({ app: found, environment: { id, name } }));
}

/** The environment of an API token, and when the token ends. */
export async function placeOfToken(console: Console): Promise<Place & { validUntil: string }> {
  const { app, environment, validUntil } = await console.query("client/get-environment", {});
  return { app, environment, validUntil };
}

/** How an environment is named in messages. */
export function nameOfPlace({ app, environment }: Place): string {
  return `${printable(app.name)} / ${printable(environment.name)}`;
}

/**
 * The environments that match what a command names.
 * @throws Failure which lists the names that exist
 */
export async function findPlaces(
  console: Console,
  named: { app?: string; environment?: string },
): Promise<[Place, ...Place[]]> {
  if (console.isApiToken) return matchPlaces([await placeOfToken(console)], named);
  return matchPlaces(await reachedPlaces(console, named.app), { environment: named.environment });
}
