import { parentPort, type Worker } from "node:worker_threads";
import type { ByteSource } from "@slipway/installers";

/** Sent by a thread: a range of one of its files that it needs. */
export interface RangeOrder {
  kind: "read";
  id: number;
  /** Which of the files. */
  file: number;
  offset: number;
  length: number;
}

/** Sent to the thread: the bytes of a range. */
interface RangeRead {
  id: number;
  bytes: Uint8Array;
}

/** Sends a message from a thread to the one that started it. */
export function sendToParent<Message>(message: Message): void {
  parentPort?.postMessage(message);
}

/** The files of a thread as sources whose ranges the thread that started it reads; see `sendRange`. */
export function sourcesOfThread<const Sizes extends readonly number[]>(
  sizes: Sizes,
): { [Index in keyof Sizes]: ByteSource } {
  const reads = new Map<number, (bytes: Uint8Array) => void>();
  let lastId = 0;
  parentPort?.on("message", ({ id, bytes }: RangeRead) => {
    reads.get(id)?.(bytes);
    reads.delete(id);
  });
  const sourceOf = (size: number, file: number): ByteSource => ({
    size,
    read(offset, length) {
      const id = ++lastId;
      return new Promise((resolve) => {
        reads.set(id, resolve);
        sendToParent<RangeOrder>({ kind: "read", id, file, offset, length });
      });
    },
  });
  return sizes.map(sourceOf) as { [Index in keyof Sizes]: ByteSource };
}

/** Reads a range of the files of a thread and sends it to the thread. */
export async function sendRange(worker: Worker, sources: readonly ByteSource[], order: RangeOrder): Promise<void> {
  const { id, file, offset, length } = order;
  // A copy, because a view would be sent with its whole buffer.
  const bytes = new Uint8Array(await (sources[file] as ByteSource).read(offset, length));
  worker.postMessage({ id, bytes } satisfies RangeRead, [bytes.buffer]);
}
