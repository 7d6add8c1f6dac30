import { command } from "@/lib/client/client";
import { Uploader } from "@/lib/client/upload/uploader";
import { browserClock, browserConnection } from "./browser-environment";
import { browserTransport } from "./browser-transport";

/** As for installers. */
const MAX_CONCURRENT_PARTS = 4;

/**
 * An upload of a further file of a release. It continues after a lost connection, and not after the page was closed: the list of
 * interrupted uploads is of installers.
 */
export function attachmentUpload(file: File): Uploader {
  return new Uploader({
    file,
    sha256: Promise.resolve(null),
    transport: {
      ...browserTransport,
      create: (announced, signal) =>
        command("files/create-upload", { ...announced, purpose: "attachment" }, { signal }),
    },
    connection: browserConnection,
    clock: browserClock,
    random: Math.random,
    maxConcurrentParts: MAX_CONCURRENT_PARTS,
    memory: { find: () => null, keep: () => undefined, forget: () => undefined },
  });
}
