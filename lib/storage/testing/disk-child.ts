import { Readable } from "node:stream";
import { DiskDriver } from "../disk/index.ts";
import { StorageError } from "../driver.ts";

/**
 * What a test lets another process do with the disk store: one that it kills half-way, or that has little room.
 * Arguments: the data folder, then `part <key> <upload id> <number> <size>` (sends half of the part, says so and
 * waits), `put <key> <size>` (says how it ended), `half <key> <size>` (like `part`, for a put) or `ping` (says how it
 * ended).
 */
const [dataDir, action, key, ...rest] = process.argv.slice(2) as [string, string, string, ...string[]];
const driver = new DiskDriver({ dataDir });

async function* zeros(size: number): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < size; sent += 65_536) yield new Uint8Array(Math.min(65_536, size - sent));
}

async function* halfThenNothing(size: number): AsyncGenerator<Uint8Array> {
  yield* zeros(size / 2);
  console.log("half");
  await new Promise(() => setInterval(() => {}, 1000));
}

const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    () => "well",
    (error) => (error instanceof StorageError ? `${error.failure} ${codeOf(error.cause)}` : String(error)),
  );
const codeOf = (cause: unknown) => (cause instanceof Error && "code" in cause ? cause.code : cause);

if (action === "ping") {
  console.log(await outcomeOf(driver.ping()));
} else if (action === "part") {
  const [uploadId, number, size] = rest as [string, string, string];
  await driver.putPart(key, uploadId, Number(number), Readable.from(halfThenNothing(Number(size))));
} else {
  const size = Number(rest[0]);
  const body = Readable.from(action === "half" ? halfThenNothing(size) : zeros(size));
  try {
    await driver.put(key, body, { contentType: "application/zip", maxBytes: size });
    console.log("stored");
  } catch (error) {
    console.log(error instanceof StorageError ? error.failure : String(error));
  }
  const left = [];
  for await (const object of driver.list("")) left.push(object.key);
  console.log(JSON.stringify({ left, unfinished: await driver.sweepUnfinished("", new Date(Date.now() + 60_000)) }));
}
