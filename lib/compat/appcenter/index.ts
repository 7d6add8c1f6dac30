import "server-only";
import { z } from "zod";
import { loadTokenActor } from "@/lib/auth/actor";
import { db } from "@/lib/db/client";
import type { AppCenterUpload } from "@/lib/db/generated/client";
import { inspectPublishable } from "@/lib/features/releases/internal/publishable";
import { createTestingDeploy } from "@/lib/features/releases/operations/create-testing-deploy";
import { getTestingDeployById } from "@/lib/features/releases/operations/get-testing-deploy-by-id";
import { updateTestingDeploy } from "@/lib/features/releases/operations/update-testing-deploy";
import { MAX_DESCRIPTION, MAX_VERSION, type Release } from "@/lib/features/releases/schema";
import { findPublishable } from "@/lib/features/uploads/data";
import { completeUpload } from "@/lib/features/uploads/operations/complete-upload";
import { createUpload } from "@/lib/features/uploads/operations/create-upload";
import { getUpload } from "@/lib/features/uploads/operations/get-upload";
import { uploadPart } from "@/lib/features/uploads/operations/upload-part";
import { bodyStream, contentLength, readJson } from "@/lib/http/body";
import { consume } from "@/lib/http/rate-limit";
import { env } from "@/lib/kernel/env";
import { ApiError, invalidField } from "@/lib/kernel/errors";
import { idSchema } from "@/lib/kernel/ids-schema";
import { fieldIssues } from "@/lib/kernel/issues";
import { DAY_MS } from "@/lib/kernel/time";
import { actorId, type TokenActor } from "@/lib/permissions/actor";
import { authorizeTarget } from "@/lib/permissions/authorize";
import { releasesOf } from "../environment-releases";
import { type Answerer, type Exchange, type Failure, type Product, pictureUrl, wordsOf } from "../exchange";
import { placeOf, run, tokenActor } from "../operations";
import { slugOf } from "../places";
import { beginUpload, findUpload, updateUpload, uploadOfSecret } from "./data";
import { numberOf, timeOfNumber } from "./release-numbers";

// App Center's API as its command-line tool (version 3) and fastlane's plugin use it. An upload of theirs becomes a release when
// it is distributed to a group, which is the environment of the token.

/** Uploads that a token may begin. */
const BEGIN_LIMIT = { points: 120, seconds: 60 };

/** How much earlier or later than its ID a release may have been published. */
const TOLERANCE_MS = DAY_MS;

/** The owner of all applications; clients may name any. */
const OWNER = { id: "00000000-0000-0000-0000-000000000000", name: "slipway", display_name: "Slipway", type: "org" };

const text = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .nullish()
    .transform((value) => value || undefined);

const beginBody = z.object({ build_version: text(MAX_VERSION), build_number: text(MAX_VERSION) });
const finishBody = z.object({ upload_status: z.enum(["uploadFinished", "uploadCanceled"]) });
const notesBody = z.object({ release_notes: text(MAX_DESCRIPTION) });
const groupBody = z.object({ id: z.string(), mandatory_update: z.boolean().nullish() });

/** A path below `/v0.1/apps/<owner>/<app>`, of a caller whose token is for that application. */
interface AppCall {
  exchange: Exchange;
  actor: TokenActor;
  place: Awaited<ReturnType<typeof placeOf>>;
  /** What the pattern of the path leaves open. */
  parameter: string;
}

async function bodyOf<S extends z.ZodType>({ request }: Exchange, schema: S): Promise<z.output<S>> {
  const parsed = schema.safeParse((await readJson(request)) ?? {});
  if (!parsed.success) throw new ApiError("validation_failed", { issues: fieldIssues(parsed.error.issues) });
  return parsed.data;
}

function callerOf({ exchange: { facts }, actor }: AppCall) {
  return { actor, facts };
}

/** Identifies the caller by the header of the clients, and checks the application. */
async function appCall(exchange: Exchange, app: string, parameter: string): Promise<AppCall> {
  const actor = await tokenActor(exchange.request.headers.get("x-api-token"), exchange.facts);
  const place = await placeOf(actor);
  const isOurs = [place.app.identifier.toLowerCase(), slugOf(place.app.name)].includes(app.toLowerCase());
  if (!isOurs) throw new ApiError("not_found", { detailKey: "appIdentifier", params: { app } });
  return { exchange, actor, place, parameter };
}

/** Requires the group of the token, which is its environment, by its name or ID. @throws ApiError not_found */
function requireGroup({ place }: AppCall, group: string): void {
  const { id, name } = place.environment;
  if (group === id || group.toLowerCase() === name.toLowerCase()) return;
  throw new ApiError("not_found", {
    detailKey: "environmentName",
    params: { app: place.app.identifier, environment: group },
  });
}

function shownApp({ place }: AppCall) {
  const { app } = place;
  return {
    id: app.id,
    app_secret: "",
    name: slugOf(app.name),
    display_name: app.name,
    description: app.description,
    os: "Custom",
    platform: "Custom",
    origin: "appcenter",
    icon_url: null,
    owner: OWNER,
    created_at: app.createdAt,
    updated_at: app.updatedAt,
  };
}

function shownGroup({ place }: AppCall) {
  const { id, name } = place.environment;
  return { id, name, display_name: name, origin: "appcenter", is_public: false };
}

function shownRelease(release: Release, number: number) {
  const { environment, installer, platform } = release;
  const isAndroid = platform.kind === "android";
  return {
    id: number,
    status: "available",
    enabled: true,
    origin: "appcenter",
    app_name: slugOf(release.app.name),
    app_display_name: release.displayName,
    app_os: isAndroid ? "Android" : "iOS",
    short_version: release.version,
    version: release.buildNumber,
    release_notes: release.description,
    size: release.size,
    min_os: release.minOs,
    ...(isAndroid && release.minOs !== null && { android_min_api_level: release.minOs }),
    bundle_identifier: release.identifier,
    fingerprint: release.sha256,
    file_extension: installer.kind,
    uploaded_at: release.deployDate,
    download_url: release.installUrl,
    install_url: release.installUrl,
    app_icon_url: pictureUrl(release.iconUrl),
    is_external_build: false,
    destinations: [{ id: environment.id, name: environment.name, destination_type: "group" }],
    distribution_groups: [{ id: environment.id, name: environment.name }],
  };
}

/** The address that the client sends the parts to: where it reached this server. */
function uploadDomain({ request }: Exchange): string {
  const host = request.headers.get("host");
  const origin = host && URL.canParse(`http://${host}`) ? `${new URL(env.APP_URL).protocol}//${host}` : env.APP_URL;
  return `${origin}/compat/appcenter`;
}

async function begin(call: AppCall) {
  const { exchange, actor, place } = call;
  authorizeTarget(createTestingDeploy.access, actor, place);
  const { build_version: version, build_number: buildNumber } = await bodyOf(exchange, beginBody);
  await consume({ name: "appcenter-upload", limit: BEGIN_LIMIT, key: actor.tokenId });
  const { tokenId } = actor;
  const { id, secret } = await beginUpload({ tokenId, version, buildNumber, now: exchange.facts.now });
  return {
    status: 201,
    body: {
      id,
      package_asset_id: id,
      upload_domain: uploadDomain(exchange),
      token: secret,
      url_encoded_token: encodeURIComponent(secret),
    },
  };
}

/** @throws ApiError not_found */
async function ownUpload({ actor, parameter }: AppCall): Promise<AppCenterUpload> {
  const upload = idSchema.safeParse(parameter).success ? await findUpload(actor.tokenId, { id: parameter }) : null;
  if (!upload) throw new ApiError("not_found");
  return upload;
}

/** Whether a failure may be over when the client asks again at once; a full store is not. */
function mayPass({ status, code }: Failure): boolean {
  return (status >= 500 && code !== "storage_full") || status === 429;
}

/** Joins the parts and checks the file, so that the client hears of a wrong one before it distributes it. */
async function finish(call: AppCall) {
  const { exchange, actor, place } = call;
  const upload = await ownUpload(call);
  const { upload_status } = await bodyOf(exchange, finishBody);
  if (upload_status === "uploadCanceled") return { status: 200, body: { id: upload.id, upload_status } };
  const { uploadId } = upload;
  if (uploadId === null) throw invalidField("upload_status", "incompleteUpload");
  const { facts } = exchange;
  let failure: string | null = null;
  let fileId: string | null = null;
  try {
    const { parts } = await run(getUpload, { actor, facts }, { uploadId });
    ({ fileId } = await run(completeUpload, { actor, facts }, { uploadId, parts }));
    const file = await findPublishable(db, actor, fileId, facts.now);
    if (!file) throw new ApiError("not_found");
    const caller = { id: actorId(actor), signal: facts.signal };
    const { version, buildNumber } = upload;
    await inspectPublishable(db, file, {
      target: place,
      version: version ?? undefined,
      buildNumber: buildNumber ?? undefined,
      caller,
    });
  } catch (error) {
    const words = wordsOf(error, facts);
    // The client may ask again, and the parts are there.
    if (mayPass(words)) throw error;
    failure = words.message.slice(0, 2_000);
  }
  await updateUpload(upload.id, { fileId, failure });
  return { status: 200, body: { id: upload.id, upload_status } };
}

async function uploadState(call: AppCall) {
  const { id, fileId, failure, number } = await ownUpload(call);
  if (failure !== null) return { status: 200, body: { id, upload_status: "error", error_details: failure } };
  if (fileId === null) return { status: 200, body: { id, upload_status: "uploadStarted" } };
  return { status: 200, body: { id, upload_status: "readyToBePublished", release_distinct_id: Number(number) } };
}

type Numbered = { upload: AppCenterUpload; release: null } | { upload: null; release: Release };

/** Finds what a number stands for: an upload that is not distributed yet, or a release. @throws ApiError not_found */
async function numbered(call: AppCall): Promise<Numbered> {
  const number = Number(call.parameter);
  const { actor } = call;
  const caller = callerOf(call);
  if (call.parameter === "latest") {
    for await (const release of releasesOf(caller)) return { upload: null, release };
    throw new ApiError("not_found");
  }
  if (!Number.isSafeInteger(number) || number < 1) throw new ApiError("not_found");
  const time = timeOfNumber(number);
  if (time === null) {
    const upload = await findUpload(actor.tokenId, { number: BigInt(number) });
    if (!upload?.fileId || upload.failure !== null) throw new ApiError("not_found");
    if (upload.releaseId === null) return { upload, release: null };
    return { upload: null, release: await run(getTestingDeployById, caller, { id: upload.releaseId }) };
  }
  const near = (milliseconds: number) => new Date(time.getTime() + milliseconds).toISOString();
  for await (const release of releasesOf(caller, { from: near(-TOLERANCE_MS), to: near(TOLERANCE_MS) })) {
    if (numberOf(release.id) === number) return { upload: null, release };
  }
  throw new ApiError("not_found");
}

async function showRelease(call: AppCall) {
  const { upload, release } = await numbered(call);
  if (upload) {
    const { number, description } = upload;
    return { status: 200, body: { id: Number(number), status: "unavailable", release_notes: description ?? "" } };
  }
  const asked = Number(call.parameter);
  return { status: 200, body: shownRelease(release, Number.isNaN(asked) ? numberOf(release.id) : asked) };
}

async function setNotes(call: AppCall) {
  const { release_notes: description } = await bodyOf(call.exchange, notesBody);
  const { upload, release } = await numbered(call);
  if (upload) await updateUpload(upload.id, { description: description ?? null });
  else if (description !== undefined) await run(updateTestingDeploy, callerOf(call), { id: release.id, description });
  return { status: 200, body: { release_notes: description ?? "" } };
}

/** Publishes an upload in the environment of the token. */
async function distribute(call: AppCall) {
  const { id: group, mandatory_update: mandatory } = await bodyOf(call.exchange, groupBody);
  requireGroup(call, group);
  const { upload } = await numbered(call);
  if (upload) {
    const { environment } = call.place;
    const release = await run(createTestingDeploy, callerOf(call), {
      environmentId: environment.id,
      fileId: upload.fileId as string,
      description: upload.description ?? upload.fileName ?? "-",
      version: upload.version ?? undefined,
      buildNumber: upload.buildNumber ?? undefined,
      ...(mandatory && { mandatory }),
    });
    await updateUpload(upload.id, { releaseId: release.id });
  }
  return {
    status: 201,
    body: { id: group, mandatory_update: mandatory ?? false, provisioning_status_url: null },
  };
}

async function listReleases(call: AppCall) {
  const releases: unknown[] = [];
  for await (const release of releasesOf(callerOf(call))) releases.push(shownRelease(release, numberOf(release.id)));
  return { status: 200, body: releases };
}

function showGroup(call: AppCall) {
  requireGroup(call, call.parameter);
  return { status: 200, body: shownGroup(call) };
}

/** The parts of an upload, which are sent with its secret. */
async function partsOf({ query, facts }: Exchange, id: string) {
  const upload = idSchema.safeParse(id).success ? await uploadOfSecret(id, query.get("token") ?? "") : null;
  if (!upload) throw new ApiError("invalid_token");
  const actor = await loadTokenActor(db, upload.tokenId, facts.now);
  return { upload, caller: { actor, facts } };
}

/** Begins to receive the file, or continues. */
async function setMetadata(exchange: Exchange, id: string) {
  const { upload, caller } = await partsOf(exchange, id);
  const { query } = exchange;
  const name = query.get("file_name") ?? "";
  const size = Number(query.get("file_size"));
  let missing: number[];
  let partSize: number;
  if (upload.uploadId === null) {
    // Without a SHA-256, an upload is always begun.
    const begun = (await run(createUpload, caller, { name, size })) as { uploadId: string; partSize: number };
    await updateUpload(upload.id, { uploadId: begun.uploadId, fileName: name });
    ({ partSize } = begun);
    missing = Array.from({ length: Math.ceil(size / partSize) }, (_, index) => index + 1);
  } else {
    const state = await run(getUpload, caller, { uploadId: upload.uploadId });
    if (state.size !== size) throw invalidField("file_size", "invalidFormat");
    ({ partSize } = state);
    missing = state.missing.map(({ number }) => number);
  }
  return {
    status: 200,
    body: {
      error: false,
      id,
      chunk_size: partSize,
      chunk_list: missing,
      blob_partitions: 1,
      resume_restart: false,
      status_code: "Success",
    },
  };
}

async function receivePart(exchange: Exchange, id: string) {
  const { upload, caller } = await partsOf(exchange, id);
  const { uploadId } = upload;
  const { query, request } = exchange;
  if (uploadId === null) throw new ApiError("not_found");
  const number = Number(query.get("block_number"));
  const body = { stream: bodyStream(request), contentLength: contentLength(request) };
  await run(uploadPart, caller, { uploadId, number }, { body });
  return { status: 200, body: { error: false, chunk_num: number } };
}

async function finishParts(exchange: Exchange, id: string) {
  const { upload, caller } = await partsOf(exchange, id);
  const { uploadId } = upload;
  if (uploadId === null) throw new ApiError("not_found");
  const { missing } = await run(getUpload, caller, { uploadId });
  const absent = missing.map(({ number }) => number);
  return {
    status: 200,
    body:
      absent.length > 0
        ? { error: true, missing_chunks: absent }
        : { error: false, state: "Done", location: id, raw_location: id },
  };
}

async function profile({ request, facts }: Exchange) {
  const { tokenId, name } = await tokenActor(request.headers.get("x-api-token"), facts);
  return { status: 200, body: { id: tokenId, display_name: name, name: slugOf(name), email: "", origin: "appcenter" } };
}

async function apps(exchange: Exchange) {
  const actor = await tokenActor(exchange.request.headers.get("x-api-token"), exchange.facts);
  return { status: 200, body: [shownApp({ exchange, actor, place: await placeOf(actor), parameter: "" })] };
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
  [/^\/distribution_groups$/, { GET: (call) => ({ status: 200, body: [shownGroup(call)] }) }],
  [/^\/distribution_groups\/([^/]+)$/, { GET: showGroup }],
];

function failed({ status, code, message }: Failure) {
  return { id: code, code, message, statusCode: status };
}

type PartsAnswerer = (exchange: Exchange, id: string) => ReturnType<Answerer>;

/**
 * Answers a failure with the status 200, which the client expects where it prints the reason: of any other status, it says
 * only that the step failed, and it repeats the last step without end. It reads the status from `currentTarget`.
 */
function inWords(answer: PartsAnswerer): PartsAnswerer {
  return async (exchange, id) => {
    try {
      return await answer(exchange, id);
    } catch (error) {
      const failure = wordsOf(error, exchange.facts);
      if (mayPass(failure)) throw error;
      const { status, message } = failure;
      return { status: 200, body: { error: true, ...failed(failure), currentTarget: { status, statusText: message } } };
    }
  };
}

const UPLOAD_PATHS: Record<string, PartsAnswerer> = {
  set_metadata: inWords(setMetadata),
  upload_chunk: receivePart,
  finished: inWords(finishParts),
};

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
