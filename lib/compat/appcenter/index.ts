import "server-only";
import { ApiError } from "@/lib/kernel/errors";
import { placeOf } from "../data";
import type { Answerer, Exchange, Product } from "../exchange";
import { tokenActor } from "../operations";
import { slugOf } from "../places";
import { type AppCall, appCall, failed, groupsOf, requireGroup } from "./calls";
import { UPLOAD_PATHS } from "./parts";
import { distribute, listReleases, setNotes, showRelease } from "./releases";
import { shownApp, shownGroup } from "./shapes";
import { begin, finish, uploadState } from "./uploads";

// App Center's API as its command-line tool (version 3) and fastlane's plugin use it. An upload of theirs becomes a release when
// it is distributed to a group: the environment of the token, or a group of testers, which is told.

async function showGroup(call: AppCall) {
  return { status: 200, body: shownGroup(await requireGroup(call, call.parameter)) };
}

async function listGroups(call: AppCall) {
  return { status: 200, body: (await groupsOf(call)).map(shownGroup) };
}

async function profile({ request, facts }: Exchange) {
  const { tokenId, name } = await tokenActor(request.headers.get("x-api-token"), facts);
  return { status: 200, body: { id: tokenId, display_name: name, name: slugOf(name), email: "", origin: "appcenter" } };
}

async function apps(exchange: Exchange) {
  const actor = await tokenActor(exchange.request.headers.get("x-api-token"), exchange.facts);
  const place = await placeOf(actor, exchange.facts);
  return { status: 200, body: [shownApp({ exchange, actor, place, parameter: "" })] };
}

type AppAnswerer = (call: AppCall) => ReturnType<Answerer> | Awaited<ReturnType<Answerer>>;

/** What answers the paths below an application. The group of a pattern is the call's parameter. */
const APP_PATHS: readonly [pattern: RegExp, answerers: Record<string, AppAnswerer>][] = [
  [/^$/, { GET: (call) => ({ status: 200, body: shownApp(call) }) }],
  [/^\/uploads\/releases$/, { POST: begin }],
  [/^\/uploads\/releases\/([^/]+)$/, { PATCH: finish, GET: uploadState }],
  [/^\/releases$/, { GET: listReleases }],
  [/^\/releases\/([^/]+)$/, { GET: showRelease, PUT: setNotes }],
  [/^\/releases\/([^/]+)\/groups$/, { POST: distribute }],
  [/^\/distribution_groups$/, { GET: listGroups }],
  [/^\/distribution_groups\/([^/]+)$/, { GET: showGroup }],
];

function posted(answer: Answerer): Record<string, Answerer> {
  return { POST: answer };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new ApiError("invalid_request");
  }
}

function answerersOf(path: string): Record<string, Answerer> | null {
  if (path === "/v0.1/user") return { GET: profile };
  if (path === "/v0.1/apps") return { GET: apps };
  const [, step, id] = /^\/upload\/([a-z_]+)\/([\w-]+)$/.exec(path) ?? [];
  if (step !== undefined && id !== undefined) {
    const answer = Object.hasOwn(UPLOAD_PATHS, step) ? UPLOAD_PATHS[step] : undefined;
    return answer ? posted((exchange) => answer(exchange, id)) : null;
  }
  const [, app, rest] = /^\/v0\.1\/apps\/[^/]+\/([^/]+)(\/.*)?$/.exec(path) ?? [];
  if (app === undefined) return null;
  for (const [pattern, answerers] of APP_PATHS) {
    const match = pattern.exec(rest ?? "");
    if (!match) continue;
    const parameter = match[1] ?? "";
    return Object.fromEntries(
      Object.entries(answerers).map(([method, answer]): [string, Answerer] => [
        method,
        async (exchange) => answer(await appCall(exchange, decoded(app), decoded(parameter))),
      ]),
    );
  }
  return null;
}

export const appCenter: Product = { name: "appcenter", at: answerersOf, failed };
