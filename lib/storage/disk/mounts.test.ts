import { renameSync } from "node:fs";
import { mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { StorageError } from "../driver";
import { DiskDriver } from ".";

vi.mock("node:fs/promises", async (original) => {
  const actual = await original<typeof import("node:fs/promises")>();
  return { ...actual, rename: vi.fn(actual.rename) };
});

let dataDir: string;
let driver: DiskDriver;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "slipway-mounts-"));
  driver = new DiskDriver({ dataDir });
  vi.mocked(rename).mockClear();
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const refused = () => Object.assign(new Error("EXDEV: cross-device link not permitted"), { code: "EXDEV" });
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => "nothing failed",
    (error) => (error instanceof StorageError ? error.failure : String(error)),
  );

describe("the readiness of the disk store", () => {
  it("is tried by a rename between its two folders, once as long as they are the same", async () => {
    for (let time = 0; time < 3; time++) await driver.ping();
    expect(rename).toHaveBeenCalledTimes(1);
    expect([await readdir(join(dataDir, "files")), await readdir(join(dataDir, "uploads"))]).toEqual([[], []]);
  });

  it("fails where the folders are mounts of their own, which no device number shows, until they are one", async () => {
    vi.mocked(rename).mockRejectedValueOnce(refused()).mockRejectedValueOnce(refused());
    expect(await failureOf(driver.ping())).toBe("unavailable");
    expect(await failureOf(driver.ping())).toBe("unavailable");
    expect(await failureOf(driver.ping())).toBe("nothing failed");
    expect(await readdir(join(dataDir, "uploads"))).toEqual([]);
  });

  it("is tried again after a folder was replaced", async () => {
    await driver.ping();
    renameSync(join(dataDir, "files"), join(dataDir, "elsewhere"));
    await new DiskDriver({ dataDir }).prepare();
    await driver.ping();
    expect(rename).toHaveBeenCalledTimes(2);
  });
});
