import "server-only";
import { env, SettingsError } from "@/lib/kernel/env";
import { log } from "@/lib/kernel/log";
import { processSingleton } from "@/lib/kernel/process-singleton";
import { DiskDriver } from "./disk";
import type { StorageDriver } from "./driver";
import { observed } from "./observed";
import { S3Driver } from "./s3";

/** One store for the process: the disk driver knows which uploads are being written. */
export const currentStore = processSingleton<StorageDriver>("storage", () =>
  observed(env.STORAGE === "disk" ? diskStore() : s3Store()),
);

/** The store of the settings. */
export function storage(): StorageDriver {
  return currentStore.get();
}

/**
 * Lets browsers send files to an S3 store from the console's pages. A failure does not prevent the start, because
 * everything else works.
 */
export async function allowBrowserUploads(): Promise<void> {
  const { origin } = new URL(env.APP_URL);
  try {
    const outcome = await storage().ensureOrigin?.(origin);
    if (outcome === "set") log.info({ origin }, "the store accepts files from browsers (CORS)");
    if (outcome === "unsupported") {
      log.warn({ origin }, "the store has no CORS rules: `store cors` checks whether it accepts files from browsers");
    }
  } catch (error) {
    log.warn({ err: error, origin }, "the CORS rule of the store could not be set: set it with `store cors`");
  }
}

/** Keeps room on the store's disk for the database beside it, for as long as this process runs. */
export function watchStorageSpace(): void {
  storage().watchSpace?.((event) => {
    if (event.kind === "failed") log.warn({ err: event.error }, "the free disk space could not be looked after");
    else if (event.kind === "restored") log.info("the disk has room: the ballast is in place");
    else {
      log.error(
        { freeBytes: event.freeBytes },
        "the disk is full: the ballast was released; delete releases or make room on the disk",
      );
    }
  });
}

/** The store on this machine's disk, whether or not it is in use. */
export function diskStore(): DiskDriver {
  return new DiskDriver({ dataDir: env.DATA_DIR, reserveBytes: env.DISK_RESERVE_BYTES });
}

/**
 * The S3 store of the settings, whether or not it is in use.
 * @throws SettingsError if the settings name none
 */
export function s3Store(): S3Driver {
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = env;
  if (!S3_ENDPOINT || !S3_BUCKET || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY) {
    throw new SettingsError("S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY: all four are required");
  }
  return new S3Driver({
    endpoint: S3_ENDPOINT,
    publicEndpoint: env.S3_PUBLIC_ENDPOINT,
    region: env.S3_REGION,
    bucket: S3_BUCKET,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
    forcePathStyle: env.S3_FORCE_PATH_STYLE,
  });
}
