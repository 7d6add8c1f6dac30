import { Worker } from "node:worker_threads";
import { type ByteSource, bytesSource, inspectInstaller } from "@slipway/installers";
import { makeApk, makeIcon, makeIpa } from "@slipway/installers/testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { StorageError } from "@/lib/storage/driver";
import { imageRenderer } from "@/lib/storage/images";
import { inspectInThread } from "@/lib/storage/inspection";
import { withFault } from "@/lib/testing/store";
import { setUpTestDatabase } from "@/scripts/test-database";
import { inspectStored } from "./inspection";

vi.mock(import("@slipway/installers"), async (original) => {
  const installers = await original();
  return { ...installers, inspectInstaller: vi.fn(installers.inspectInstaller) };
});

setUpTestDatabase();

const MIB = 1024 * 1024;

/** An app whose JAR manifest has about two million lines, each of which is parsed as an attribute. */
function anApkOfManyLines(): Promise<Uint8Array> {
  const lines: string[] = ["Manifest-Version: 1.0\n\nName: x\n"];
  for (let length = 0, count = 0; length < 9.9 * MIB; count += 1) {
    const line = `${(count % 1_000).toString(36)}: \n`;
    lines.push(line);
    length += line.length;
  }
  const manifest = Buffer.from(lines.join(""));
  const signature = { "META-INF/MANIFEST.MF": manifest, "META-INF/A.SF": manifest, "META-INF/A.RSA": Buffer.of(0) };
  const extraEntries = Object.entries(signature).map(([name, data]) => ({ name, data }));
  return makeApk({ schemes: [], minSdk: 23, targetSdk: 29, extraEntries });
}

/** Counts the turns of this thread's event loop until the work is done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let over = false;
  work
    .finally(() => {
      over = true;
    })
    .catch(() => undefined);
  while (!over) {
    await new Promise(setImmediate);
    turns += 1;
  }
  return turns;
}

describe("an inspection", () => {
  it("runs in a worker thread, with the same result as without one", async () => {
    const source = bytesSource(makeIpa({ identifier: "com.acme.app", version: "2.4.0" }));
    const installer = await inspectInThread(source, "Acme.ipa");
    expect(inspectInstaller).not.toHaveBeenCalled();
    expect(installer).toEqual(await inspectInstaller(source, { fileName: "Acme.ipa" }));
    expect(installer.icon?.bytes.length).toBeGreaterThan(0);
  });

  it("has layers of the icon in WebP drawn by the process of images", async () => {
    const foreground = await imageRenderer
      .get()
      .draw({ image: makeIcon({ size: 108 }), isScreenshot: true }, { lane: "upload", id: "test" });
    const source = bytesSource(await makeApk({ icon: "adaptive", foreground }));
    expect((await inspectInThread(source, "Acme.apk")).icon).toMatchObject({ contentType: "image/png", width: 192 });
    const broken = bytesSource(await makeApk({ icon: "adaptive", foreground: foreground.slice(0, 40) }));
    expect((await inspectInThread(broken, "Acme.apk")).icon).toBeNull();
  });

  it("does not delay other requests while a hostile file keeps the thread busy", async () => {
    const source = bytesSource(await anApkOfManyLines());
    const turns = await turnsDuring(inspectInThread(source, "a.apk", { timeoutMs: 2_000 }));
    expect(turns).toBeGreaterThan(1_000);
  });

  it("ends after the timeout", async () => {
    const source: ByteSource = { size: 1_000, read: () => new Promise(() => {}) };
    await expect(inspectInThread(source, "a.ipa", { timeoutMs: 50 })).rejects.toMatchObject({
      code: "invalid_installer",
      detailKey: "inspection_timed_out",
      params: { seconds: 1 },
    });
  });

  it("ends when a hostile file has used its processor time", async () => {
    const source = bytesSource(await anApkOfManyLines());
    await expect(inspectInThread(source, "a.apk", { processorTimeMs: 100 })).rejects.toMatchObject({
      code: "invalid_installer",
      detailKey: "inspection_timed_out",
      params: { seconds: 1 },
    });
  });

  it("uses no processor time while it waits for the store", async () => {
    const source = bytesSource(makeIpa({ identifier: "com.acme.app" }));
    const cpuUsage = vi.spyOn(Worker.prototype, "cpuUsage");
    onTestFinished(() => cpuUsage.mockRestore());
    const slow: ByteSource = {
      size: source.size,
      async read(offset, length) {
        const before = cpuUsage.mock.calls.length;
        await expect.poll(() => cpuUsage.mock.calls.length).toBeGreaterThan(before + 2);
        return source.read(offset, length);
      },
    };
    const installer = await inspectInThread(slow, "Acme.ipa");
    expect(installer.identifier).toBe("com.acme.app");
  });

  it("refuses a file that is not an installer, with the reason", async () => {
    await expect(inspectInThread(bytesSource(Buffer.from("text")), "a.ipa")).rejects.toMatchObject({
      code: "invalid_installer",
      detailKey: "archive_not_zip",
    });
  });

  it("fails with the error of the store", async () => {
    const failure = new StorageError("unavailable");
    const source: ByteSource = { size: 1_000, read: () => Promise.reject(failure) };
    await expect(inspectInThread(source, "a.ipa")).rejects.toBe(failure);
  });

  it("is refused when too many wait, and those that wait are finished", async () => {
    const silence = Promise.withResolvers<void>();
    const file = { storageKey: "installers/none", name: "a.ipa", size: 1_000 };
    await withFault({ method: "get", when: "before", beforeFailure: () => silence.promise }, async () => {
      const inspections = Array.from({ length: 2 + 16 }, () => inspectStored(file, { id: "somebody" }));
      await expect(inspectStored(file, { id: "somebody" })).rejects.toMatchObject({
        code: "unavailable",
        detailKey: "detailInstallers",
        retryAfter: 5,
      });
      silence.resolve();
      for (const { status } of await Promise.allSettled(inspections)) expect(status).toBe("rejected");
    });
  });

  it("ends when its caller has gone, and gives its place to the next", async () => {
    const file = { storageKey: "installers/none", name: "a.ipa", size: 1_000 };
    const gone = new AbortController();
    const silence = Promise.withResolvers<void>();
    let reads = 0;
    const beforeFailure = () => {
      reads += 1;
      return silence.promise;
    };
    await withFault({ method: "get", when: "before", beforeFailure }, async () => {
      const inspections = [1, 2, 3, 4].map(() => inspectStored(file, { id: "somebody", signal: gone.signal }));
      const outcomes = Promise.allSettled(inspections);
      await expect.poll(() => reads).toBe(2);
      gone.abort(new Error("gone"));
      for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: { message: "gone" } });
      const next = inspectStored(file, { id: "somebody else" });
      await expect.poll(() => reads).toBe(3);
      silence.resolve();
      await expect(next).rejects.toThrow();
    });
  });
});
