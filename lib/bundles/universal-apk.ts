import "server-only";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { openFileSource } from "@slipway/installers/node";
import { type Db, db } from "@/lib/db/client";
import { queryRows, sql } from "@/lib/db/query";
import { Turns } from "@/lib/db/turns";
import type { BundleErrorCode } from "@/lib/kernel/bundle-errors";
import { env } from "@/lib/kernel/env";
import { ApiError } from "@/lib/kernel/errors";
import { log } from "@/lib/kernel/log";
import { storage } from "@/lib/storage";
import { StorageError } from "@/lib/storage/driver";
import { claimFile, discardFiles, receiveFile } from "@/lib/storage/files";
import { inspectInThread } from "@/lib/storage/inspection";
import { BundleError, type BundleLimits, buildApks, defaultLimits } from "./bundletool";
import { type SigningKey, signingKeyOf } from "./signing";
import { type BundleTools, findBundleTools } from "./tools";

/** A bundle of which an APK is to be made. */
interface PendingBundle {
  id: string;
  /** Whose turn it takes. */
  caller: string;
  appId: string;
  environmentId: string;
  identifier: string;
  version: string;
  buildNumber: string;
  storageKey: string;
  /** Bytes. */
  size: number;
}

/**
 * The next bundle that waits for its APK; null if none does. Those who published them take turns.
 * @param done the bundles that this run has tried
 */
async function nextPending(from: Db, turns: Turns, done: readonly string[]): Promise<PendingBundle | null> {
  const caller = sql`coalesce(r."createdByUser", r."createdByToken", e."appId")`;
  const [row] = await queryRows<PendingBundle>(
    from,
    sql`
      SELECT r."id", ${caller} AS "caller", e."appId", r."environmentId", r."identifier", r."version", r."buildNumber", f."storageKey", f."size"::float8 AS "size"
      FROM "Release" r JOIN "Environment" e ON e."id" = r."environmentId" JOIN "File" f ON f."id" = r."fileId"
      WHERE r."universalState" = 'pending' AND r."id" <> ALL (${[...done]}::uuid[])
      ORDER BY ${turns.order(caller)}, r."id" LIMIT 1`,
  );
  if (row) turns.took([row.caller]);
  return row ?? null;
}

/** The folder in which bundles are worked on, by one process at a time. */
export function bundleFolder(): string {
  return env.BUNDLE_WORK_DIR ?? join(env.DATA_DIR, "bundles");
}

/** Works in a folder of its own, and removes it and what a process that was killed had left. */
async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const parent = bundleFolder();
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const left = await readdir(/*turbopackIgnore: true*/ parent);
  for (const name of left) await rm(join(parent, name), { recursive: true, force: true });
  const folder = await mkdtemp(join(parent, "bundle-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface MadeApk {
  fileId: string;
  storageKey: string;
  size: number;
  signingSha256: string | null;
}

/** Checks that an APK is the app of its bundle. */
async function inspectApk(path: string, bundle: PendingBundle, signal: AbortSignal): Promise<string | null> {
  await using source = await openFileSource(path);
  const apk = await inspectInThread(source, "universal.apk", { signal }).catch((error) => {
    if (error instanceof ApiError) throw new BundleError("mismatch", error.detailKey);
    throw error;
  });
  const isSame =
    apk.kind === "apk" &&
    apk.identifier === bundle.identifier &&
    apk.version === bundle.version &&
    apk.buildNumber === bundle.buildNumber;
  if (!isSame) throw new BundleError("mismatch", `${apk.identifier} ${apk.version} (${apk.buildNumber})`);
  return apk.signingSha256[0] ?? null;
}

/** By what an APK is made. */
interface Making {
  tools: BundleTools;
  folder: string;
  limits: BundleLimits;
  signal: AbortSignal;
}

async function makeApk(
  bundle: PendingBundle,
  key: SigningKey,
  { tools, folder, limits, signal }: Making,
): Promise<MadeApk> {
  const file = join(folder, "app.aab");
  await pipeline(
    await storage().get(bundle.storageKey, undefined, { isPatient: true }),
    createWriteStream(file, { mode: 0o600 }),
    { signal },
  );
  const output = join(folder, "apks");
  const more = ["--mode=universal", "--output-format=DIRECTORY"];
  await buildApks(tools, key, { bundle: file, bundleBytes: bundle.size, output, folder, more, limits, signal });
  const path = join(output, "universal.apk");
  const signingSha256 = await inspectApk(path, bundle, signal);
  const body = createReadStream(path);
  try {
    const { fileId, storageKey, size } = await receiveFile({
      isPatient: true,
      name: "universal.apk",
      contentType: "application/vnd.android.package-archive",
      body,
      purpose: "installer",
      maxBytes: env.MAX_UPLOAD_BYTES,
      tooLarge: () => new ApiError("file_too_large"),
      signal,
    });
    return { fileId, storageKey, size, signingSha256 };
  } finally {
    // A store that refuses the file leaves it open, and an open file keeps its space on disk.
    body.destroy();
  }
}

/** Stores the result, unless the release has been deleted or another run has been requested since. */
async function finish(bundle: PendingBundle, made: MadeApk, key: SigningKey["of"]): Promise<boolean> {
  return db.$transaction(async (tx) => {
    if (!(await claimFile(tx, made.fileId))) return false;
    const done = await queryRows(
      tx,
      sql`
        UPDATE "Release" SET "universalState" = 'ready', "universalFileId" = ${made.fileId}::uuid, "universalSize" = ${made.size},
          "universalError" = NULL, "universalDetail" = NULL, "universalSha256" = ${made.signingSha256}, "universalKey" = ${key}
        WHERE "id" = ${bundle.id}::uuid AND "universalState" = 'pending' RETURNING 1`,
    );
    if (done.length === 0) await tx.file.update({ where: { id: made.fileId }, data: { state: "pending" } });
    return done.length > 0;
  });
}

async function fail(releaseId: string, code: BundleErrorCode, detail: string): Promise<void> {
  const state = code.endsWith("_missing") ? "unavailable" : "failed";
  await queryRows(
    db,
    sql`
      UPDATE "Release" SET "universalState" = ${state}, "universalError" = ${code}, "universalDetail" = ${detail || null}
      WHERE "id" = ${releaseId}::uuid AND "universalState" = 'pending'`,
  );
}

async function make(bundle: PendingBundle, limits: BundleLimits, signal: AbortSignal): Promise<void> {
  const tools = await findBundleTools();
  if (typeof tools === "string") throw new BundleError(tools);
  await inFolder(async (folder) => {
    const key = await signingKeyOf(db, bundle, { tools, folder, signal });
    const made = await makeApk(bundle, key, { tools, folder, limits, signal });
    if (!(await finish(bundle, made, key.of))) await discardFiles([made]);
  });
}

/** Why a failure is final; null if it may succeed another time. */
function finalError(error: unknown): BundleError | null {
  if (error instanceof BundleError) return error;
  const isFull = error instanceof StorageError && error.failure === "full";
  return isFull || (error as NodeJS.ErrnoException).code === "ENOSPC" ? new BundleError("disk") : null;
}

/**
 * Makes the APKs that bundles wait for, one after another, until none waits or the time is up.
 * @returns whether more wait
 * @throws the first error that another try may mend, after the other bundles
 */
export async function makeUniversalApks({
  until,
  signal,
  limits = defaultLimits(),
}: {
  until: Date;
  signal: AbortSignal;
  limits?: BundleLimits;
}): Promise<boolean> {
  const turns = new Turns();
  const done: string[] = [];
  const errors: unknown[] = [];
  for (let bundle = await nextPending(db, turns, done); bundle; bundle = await nextPending(db, turns, done)) {
    if (new Date() > until) return true;
    signal.throwIfAborted();
    done.push(bundle.id);
    const begun = performance.now();
    try {
      await make(bundle, limits, signal);
      log.info({ releaseId: bundle.id, ms: Math.round(performance.now() - begun) }, "an APK was made of a bundle");
    } catch (error) {
      signal.throwIfAborted();
      const final = finalError(error);
      if (final) {
        log.warn({ releaseId: bundle.id, code: final.code, detail: final.detail }, "no APK could be made of a bundle");
        await fail(bundle.id, final.code, final.detail);
      } else errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return false;
}
