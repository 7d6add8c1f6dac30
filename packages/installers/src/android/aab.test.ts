import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { fingerprint } from "../../testing/android-signing";
import { type AabOptions, aabEntries, makeAab } from "../../testing/make-aab";
import { makeSigningIdentity } from "../../testing/make-certificate";
import { makeZip } from "../../testing/make-zip";
import { openArchive } from "../archive/archive";
import { InstallerError } from "../errors";
import { bytesSource } from "../source";
import { inspectAab } from "./aab";

vi.setConfig({ testTimeout: 30_000 }); // a busy machine takes many times longer

const signal = new AbortController().signal;
const identity = makeSigningIdentity({ name: "Upload key", keyType: "rsa" });
const inspect = async (bytes: Uint8Array) => inspectAab(await openArchive(bytesSource(bytes)), signal);
const inspectMade = (options: AabOptions = {}) => inspect(makeAab({ identity, ...options }));

describe("an Android App Bundle", () => {
  it("is read with all of its properties", async () => {
    const installer = await inspectMade({
      identifier: "com.example.shop",
      name: "Größe",
      names: { fr: "Taille" },
      versionName: "2.5.0",
      versionCode: 250,
      minSdk: 26,
      targetSdk: 35,
      permissions: ["android.permission.INTERNET"],
      abis: ["x86_64", "arm64-v8a"],
      debuggable: true,
    });
    expect(installer).toMatchObject({
      kind: "aab",
      identifier: "com.example.shop",
      displayName: "Größe",
      version: "2.5.0",
      buildNumber: "250",
      minOs: "26",
      minSdk: 26,
      targetSdk: 35,
      permissions: ["android.permission.INTERNET"],
      abis: ["arm64-v8a", "x86_64"],
      signatureSchemes: ["v1"],
      signingSha256: [fingerprint(identity)],
      split: false,
      debuggable: true,
      icon: { contentType: "image/png", width: 192, height: 192 },
    });
  });

  it("has an adaptive icon drawn from the files of the base module", async () => {
    expect((await inspectMade({ icon: "adaptive" })).icon).toMatchObject({ contentType: "image/png", width: 192 });
  });

  it("has no signer when it is unsigned or a file was added after signing", async () => {
    expect(await inspectMade({ identity: null })).toMatchObject({ signatureSchemes: [], signingSha256: [] });
    const added = makeZip([...aabEntries({ identity }), { name: "base/dex/classes.dex", data: Buffer.from("new") }]);
    expect(await inspect(added)).toMatchObject({ signatureSchemes: ["v1"], signingSha256: [] });
  });

  it("has the ABIs of the base module", async () => {
    const extraEntries = [
      "feature/lib/x86/libf.so",
      "base/lib/readme.txt",
      "base/lib/x86/notes.txt",
      "lib/mips/libm.so",
    ].map((name) => ({ name, data: Buffer.from("x") }));
    expect((await inspectMade({ abis: ["armeabi-v7a"], extraEntries })).abis).toEqual(["armeabi-v7a"]);
  });

  it("has its name if its resources are larger than other entries may be, and says so if they are larger still", async () => {
    const withResources = (bytes: number) =>
      makeZip(
        aabEntries({ identity: null, name: "Acme" }).map((entry) => {
          if (entry.name !== "base/resources.pb" || !(entry.data instanceof Uint8Array)) return entry;
          // An unknown field of a size, which compresses a thousandfold.
          const filler = Buffer.alloc(bytes);
          const header = Buffer.from([
            0xfa,
            0x01,
            ...[0, 7, 14, 21].map((shift) => ((bytes >>> shift) & 0x7f) | (shift < 21 ? 0x80 : 0)),
          ]);
          return { ...entry, method: 8, data: Buffer.concat([entry.data, header, filler]) };
        }),
      );
    expect(await inspect(withResources(12 * 2 ** 20))).toMatchObject({ displayName: "Acme", resourcesRead: true });
    const large = await inspect(withResources(49 * 2 ** 20));
    expect(large).toMatchObject({ displayName: "com.example.app", resourcesRead: false });
  });

  it("is read without its resources", async () => {
    const entries = aabEntries({ identity: null }).filter(({ name }) => name !== "base/resources.pb");
    expect(await inspect(makeZip(entries))).toMatchObject({ displayName: "com.example.app", icon: null });
  });

  it.each<[string, string, Uint8Array | null]>([
    ["has no base module", "android_manifest_missing", null],
    ["has a manifest that is damaged", "android_manifest_invalid", Buffer.from("0a05", "hex")],
    ["has a manifest of an APK", "android_manifest_invalid", Buffer.from("0300080008000000", "hex")],
  ])("is refused when it %s", async (_, reason, data) => {
    const entries = aabEntries({ identity: null }).flatMap((entry) =>
      entry.name === "base/manifest/AndroidManifest.xml" ? (data ? [{ ...entry, data }] : []) : [entry],
    );
    await expect(inspect(makeZip(entries))).rejects.toMatchObject({ name: "InstallerError", reason });
  });

  it("with any bytes of its files changed is read or refused with an InstallerError", async () => {
    const entries = aabEntries({ identity, icon: "adaptive" });
    const change = fc.tuple(fc.nat(entries.length - 1), fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
        const changed = entries.map((entry, index) => {
          if (!(entry.data instanceof Uint8Array)) return entry;
          const data = entry.data.slice();
          for (const [which, at, byte] of changes) if (which === index) data[Math.floor(at * (data.length - 1))] = byte;
          return { ...entry, data };
        });
        await inspect(makeZip(changed)).catch((error: unknown) => expect(error).toBeInstanceOf(InstallerError));
      }),
      { numRuns: 300 },
    );
  });
});
