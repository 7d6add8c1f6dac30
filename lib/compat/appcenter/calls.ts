import "server-only";
import { z } from "zod";
import { getDistributionGroups } from "@/lib/features/testers/operations/get-distribution-groups";
import { readJson } from "@/lib/http/body";
import { ApiError } from "@/lib/kernel/errors";
import { fieldIssues } from "@/lib/kernel/issues";
import type { TokenActor } from "@/lib/permissions/actor";
import { scopesFor } from "@/lib/permissions/authorize";
import { placeOf } from "../data";
import type { Exchange, Failure } from "../exchange";
import { run, tokenActor } from "../operations";
import { slugOf } from "../places";

export const optionalText = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .nullish()
    .transform((value) => value || undefined);

/** A path below `/v0.1/apps/<owner>/<app>`, of a caller whose token is for that application. */
export interface AppCall {
  exchange: Exchange;
  actor: TokenActor;
  place: Awaited<ReturnType<typeof placeOf>>;
  /** What the pattern of the path leaves open. */
  parameter: string;
}

export async function bodyOf<S extends z.ZodType>({ request }: Exchange, schema: S): Promise<z.output<S>> {
  const parsed = schema.safeParse((await readJson(request)) ?? {});
  if (!parsed.success) throw new ApiError("validation_failed", { issues: fieldIssues(parsed.error.issues) });
  return parsed.data;
}

export function callerOf({ exchange: { facts }, actor }: AppCall) {
  return { actor, facts };
}

/** Identifies the caller by the header of the clients, and checks the application. */
export async function appCall(exchange: Exchange, app: string, parameter: string): Promise<AppCall> {
  const actor = await tokenActor(exchange.request.headers.get("x-api-token"), exchange.facts);
  const place = await placeOf(actor, exchange.facts);
  const isOurs = [place.app.identifier.toLowerCase(), slugOf(place.app.name)].includes(app.toLowerCase());
  if (!isOurs) throw new ApiError("not_found", { detailKey: "appIdentifier", params: { app } });
  return { exchange, actor, place, parameter };
}

/** A group of App Center's clients: the environment of the token, or a group of testers that may be told of its releases. */
export interface Group {
  id: string;
  name: string;
  isEnvironment: boolean;
}

/** The groups of the token. Groups of testers are only for tokens that may tell them. */
export async function groupsOf(call: AppCall): Promise<Group[]> {
  const { environment } = call.place;
  const own = { id: environment.id, name: environment.name, isEnvironment: true };
  if (!scopesFor(call.actor, call.actor).includes("release:update")) return [own];
  const { items } = await run(getDistributionGroups, callerOf(call), { environmentId: environment.id });
  return [own, ...items.map(({ id, name }) => ({ id, name, isEnvironment: false }))];
}

/** Finds a group by its name or ID; the environment comes first. @throws ApiError not_found */
export async function requireGroup(call: AppCall, group: string): Promise<Group> {
  const wanted = group.toLowerCase();
  const found = (await groupsOf(call)).find(({ id, name }) => id === wanted || name.toLowerCase() === wanted);
  if (found) return found;
  throw new ApiError("not_found", {
    detailKey: "environmentName",
    params: { app: call.place.app.identifier, environment: group },
  });
}

/** Whether a failure may be over when the client asks again at once; a full store is not. */
export function mayPass({ status, code }: Failure): boolean {
  return (status >= 500 && code !== "storage_full") || status === 429;
}

export function failed({ status, code, message }: Failure) {
  return { id: code, code, message, statusCode: status };
}
