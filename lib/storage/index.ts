import "server-only";
import { env } from "@/lib/env";
import { DiskDriver } from "./disk";
import type { StorageDriver } from "./driver";
import { S3Driver } from "./s3";

/** One store for a process, over all bundles that import this: the disk driver knows which uploads are being written. */
const shared = globalThis as { slipwayStorage?: StorageDriver };

/** The store that the settings name. */
export function storage(): StorageDriver {
  shared.slipwayStorage ??= fromSettings();
  return shared.slipwayStorage;
}

function fromSettings(): StorageDriver {
  if (env.STORAGE === "disk") return new DiskDriver({ dataDir: env.DATA_DIR });
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = env;
  if (!S3_ENDPOINT || !S3_BUCKET || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY) {
    throw new Error("STORAGE=s3 without its settings");
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
