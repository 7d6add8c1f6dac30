import { Uploader } from "@/lib/client/upload/uploader";
import { browserClock, browserConnection } from "./browser-environment";
import { browserTransport } from "./browser-transport";
import { removeUpload, storeUpload, unfinishedUploads } from "./unfinished-uploads";

/** A chosen file with its fingerprint. */
export type ChosenFile = {
  file: File;
  fingerprint: string;
  /** Lower-case hex, or null if it is not computed. */
  sha256: Promise<string | null>;
};

/** Browsers open six connections, and pages need some of them. */
const MAX_CONCURRENT_PARTS = 4;

/**
 * An upload of a file in this browser. It resumes an earlier upload of the file for the same place.
 *
 * @param place the ID of the environment, or another name for a place that does not exist yet
 */
export function browserUpload({ file, fingerprint, sha256 }: ChosenFile, place: string): Uploader {
  const { name: fileName, size } = file;
  return new Uploader({
    file,
    sha256,
    transport: browserTransport,
    connection: browserConnection,
    clock: browserClock,
    random: Math.random,
    maxConcurrentParts: MAX_CONCURRENT_PARTS,
    memory: {
      find: () =>
        unfinishedUploads().find((one) => one.fingerprint === fingerprint && one.place === place)?.uploadId ?? null,
      keep: (uploadId) => storeUpload({ uploadId, fingerprint, place, fileName, size, begunAt: Date.now() }),
      forget: () => removeUpload({ fingerprint, place }),
    },
  });
}
