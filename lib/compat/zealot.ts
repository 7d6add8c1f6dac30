import "server-only";
import type { Release } from "@/lib/features/releases/schema";
import type { ShareLink } from "@/lib/features/share-links/schema";
import type { RequestFacts } from "@/lib/http/request-facts";
import { ApiError, invalidField } from "@/lib/kernel/errors";
import { parseJson } from "@/lib/kernel/json";
import type { TokenActor } from "@/lib/permissions/actor";
import { placeOf } from "./data";
import { releasesOf } from "./environment-releases";
import { type Answerer, type Exchange, fixedPaths, type Product, pictureUrl, sentToken } from "./exchange";
import { type Fields, type FormRelease, publishForm } from "./form";
import { tokenActor } from "./operations";
import { placeOfKey } from "./places";

// The clients of Zealot 5 (fastlane-plugin-zealot): https://zealot.ews.im/docs/developer-guide/api

const PER_PAGE = 10;
const MAX_PER_PAGE = 100;

/** The changelog as Zealot takes it: a text, or a JSON list of commits with a `message` each. */
function changelogOf(text: string | undefined): string | undefined {
  if (!text?.startsWith("[")) return text;
  try {
    const entries = parseJson(text) as unknown[];
    const lines = entries.map((entry) =>
      typeof entry === "string" ? entry : ((entry as { message?: unknown } | null)?.message ?? null),
    );
    return lines.every((line) => typeof line === "string") ? lines.map((line) => `- ${line}`).join("\n") : text;
  } catch {
    return text;
  }
}

/** @throws ApiError validation_failed */
function customFieldList(text: string): unknown[] {
  let list: unknown;
  try {
    list = parseJson(text);
  } catch {
    throw invalidField("custom_fields", "invalidFormat");
  }
  if (!Array.isArray(list)) throw invalidField("custom_fields", "invalidFormat");
  return list;
}

/** The fields that the user adds, a JSON list of names with their values. */
function customFieldsOf(text: string | undefined): Record<string, string> {
  if (text === undefined) return {};
  const sent = customFieldList(text);
  // fastlane splits a list that is a text, such as its default "[]", at the commas, and sends the pieces.
  const isSplit = sent.length > 0 && sent.every((piece) => typeof piece === "string");
  const entries = isSplit ? customFieldList(sent.join(",")) : sent;
  return Object.fromEntries(
    entries.map((entry: unknown) => {
      const { name, value } = (entry ?? {}) as { name?: unknown; value?: unknown };
      if (typeof name !== "string") throw invalidField("custom_fields", "invalidFormat");
      return [name, typeof value === "string" ? value : JSON.stringify(value ?? null)];
    }),
  );
}

function toRelease(fields: Fields, actor: TokenActor): FormRelease {
  const key = fields.text("channel_key");
  const place = key === undefined ? { environmentId: actor.environmentId } : placeOfKey(key);
  if (place === null) throw invalidField("channel_key", "unknown");
  const metadata = {
    gitBranch: fields.text("branch"),
    gitCommit: fields.text("git_commit"),
    buildUrl: fields.text("ci_url"),
    source: fields.text("source"),
    releaseType: fields.text("release_type"),
  };
  const given = Object.entries(metadata).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return {
    place,
    linkPassword: fields.text("password"),
    description: changelogOf(fields.text("changelog")),
    metadata: { ...customFieldsOf(fields.text("custom_fields")), ...Object.fromEntries(given) },
  };
}

/** A release as Zealot answers it, with the share link that was made of it. */
function shown(release: Release, link: Pick<ShareLink, "url" | "qrUrl"> | null = null) {
  const { id, app, environment, version, buildNumber, metadata } = release;
  return {
    id,
    version: buildNumber,
    app_name: app.name,
    bundle_id: release.identifier,
    release_version: version,
    build_version: buildNumber,
    source: metadata.source ?? null,
    branch: metadata.gitBranch ?? null,
    git_commit: metadata.gitCommit ?? null,
    ci_url: metadata.buildUrl ?? null,
    size: release.size,
    platform: release.platform.kind,
    device_type: release.platform.kind,
    icon_url: pictureUrl(release.iconUrl),
    release_url: link?.url ?? release.installUrl,
    install_url: link?.url ?? release.installUrl,
    qrcode_url: link?.qrUrl ?? release.qrUrl,
    changelog: release.description.split("\n").map((message) => ({ message })),
    text_changelog: release.description,
    custom_fields: [],
    created_at: release.deployDate,
    app: { id: app.id, name: app.name },
    channel: { id: environment.id, key: environment.id, name: environment.name },
  };
}

/**
 * Identifies the caller and checks that the channel key is of the token's environment.
 * @throws ApiError not_found for another channel
 */
async function channelOf(exchange: Exchange) {
  const { query, facts } = exchange;
  const actor = await tokenActor(sentToken(exchange, "token"), facts);
  const channel = await placeOf(actor, facts);
  const key = query.get("channel_key");
  if (key === null) return { actor, channel };
  const place = placeOfKey(key);
  const isOurs =
    place !== null &&
    ("environmentId" in place
      ? place.environmentId === actor.environmentId
      : place.app === channel.app.identifier && place.environment === channel.environment.name);
  if (isOurs) return { actor, channel };
  throw place !== null && "app" in place
    ? new ApiError("not_found", { detailKey: "environmentName", params: place })
    : new ApiError("not_found", { detailKey: "environmentId", params: { id: key } });
}

type Caller = { actor: TokenActor; facts: RequestFacts };

async function firstOf(caller: Caller, version: string | undefined, matches: (release: Release) => boolean) {
  for await (const release of releasesOf(caller, { version })) if (matches(release)) return release;
  return null;
}

/** Finds a release by its version and build number, or by its commit. */
async function existing(exchange: Exchange): Promise<Release> {
  const { query, facts } = exchange;
  const { actor } = await channelOf(exchange);
  const value = (name: string) => query.get(name) || undefined;
  const [bundleId, version, build, commit] = ["bundle_id", "release_version", "build_version", "git_commit"].map(value);
  if (bundleId === undefined) throw invalidField("bundle_id", "required");
  if (commit === undefined && (version === undefined || build === undefined)) {
    throw invalidField(version === undefined ? "release_version" : "build_version", "required");
  }
  const found = await firstOf({ actor, facts }, version, (release) => {
    if (release.identifier !== bundleId) return false;
    return version !== undefined && build !== undefined
      ? release.version === version && release.buildNumber === build
      : release.metadata.gitCommit === commit;
  });
  if (found === null) throw new ApiError("not_found");
  return found;
}

/** The releases after a version and build, newest first; without them, the newest one. */
async function latest(exchange: Exchange) {
  const { query, facts } = exchange;
  const { actor, channel } = await channelOf(exchange);
  const [version, build] = [query.get("release_version"), query.get("build_version")];
  const since: Release[] = [];
  for await (const release of releasesOf({ actor, facts })) {
    const isKnown = release.version === version && (build === null || release.buildNumber === build);
    if (isKnown || since.length === MAX_PER_PAGE) break;
    since.push(release);
    if (version === null) break;
  }
  return { ...shownChannel(channel), releases: since.map((release) => shown(release)) };
}

function shownChannel({ app, environment }: Awaited<ReturnType<typeof placeOf>>) {
  return {
    id: environment.id,
    app_name: app.name,
    bundle_id: app.identifier,
    git_url: null,
    app: { id: app.id, name: app.name },
  };
}

async function versions(exchange: Exchange) {
  const { query, facts } = exchange;
  const { actor, channel } = await channelOf(exchange);
  const number = (name: string, most: number, otherwise: number) => {
    const value = Number(query.get(name) ?? otherwise);
    if (!Number.isInteger(value) || value < 1 || value > most) throw invalidField(name, "invalidFormat");
    return value;
  };
  const perPage = number("per_page", MAX_PER_PAGE, PER_PAGE);
  const first = (number("page", 1_000_000, 1) - 1) * perPage;
  const releases: Release[] = [];
  let index = 0;
  for await (const release of releasesOf({ actor, facts })) {
    if (index >= first) releases.push(release);
    index += 1;
    if (releases.length === perPage) break;
  }
  return { ...shownChannel(channel), releases: releases.map((release) => shown(release)) };
}

const ok = (answer: (exchange: Exchange) => Promise<unknown>): Answerer => {
  return async (exchange) => ({ status: 200, body: await answer(exchange) });
};

const FORM = {
  tokenField: "token",
  linkName: "Zealot",
  texts: ["changelog", "custom_fields"],
  toRelease,
};

const PATHS: Record<string, Record<string, Answerer>> = {
  "/api/apps/upload": {
    // Zealot answers 201 for bytes that are there already, too.
    POST: async (exchange) => {
      const { release, link } = await publishForm(exchange, FORM);
      return { status: 201, body: shown(release, link) };
    },
  },
  "/api/apps/version_exist": { GET: ok(async (exchange) => shown(await existing(exchange))) },
  "/api/apps/latest": { GET: ok(latest) },
  "/api/apps/versions": { GET: ok(versions) },
};

/** The paths of Zealot's API. fastlane asks for them at the root, because they begin with a slash. */
export const ZEALOT_PATHS = Object.keys(PATHS);

export const zealot: Product = {
  name: "zealot",
  at: fixedPaths(PATHS),
  failed: ({ message }) => ({ error: message }),
};
