import { X509Certificate } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ipaEntries, makeIpa } from "../../testing/make-ipa";
import { defaultDeveloper, signContent } from "../../testing/make-profile";
import { makeZip } from "../../testing/make-zip";
import { FIXTURES, hasFixtures } from "../../testing/real-installers";
import { inspectInstaller, readCodeSignature } from "../inspect";
import { openFileSource } from "../node";
import { bytesSource } from "../source";
import { ungrantedEntitlements } from "./ungranted-entitlements";

const CLAIMS = { "application-identifier": "ABCDE12345.com.example.app", "aps-environment": "production" };

const claimedIn = async (bytes: Uint8Array) => (await readCodeSignature(bytesSource(bytes)))?.claims ?? null;

const claimsOf = (options: Parameters<typeof makeIpa>[0]) => claimedIn(makeIpa(options));

describe("the entitlements that an app claims", () => {
  it.each([
    ["in a file with one slice", {}],
    ["in the slice for current devices", { fat: true }],
    ["behind more code than is kept in memory", { codeBytes: 3_000_000 }],
  ])("are read %s", async (_where, more) => {
    expect(await claimsOf({ executable: { claims: CLAIMS, ...more } })).toEqual(CLAIMS);
  });

  it("are none where the signature has none, and not known without a signature or an executable", async () => {
    expect(await claimsOf({ executable: {} })).toEqual({});
    expect(await claimsOf({ executable: { claims: null } })).toBeNull();
    expect(await claimsOf({})).toBeNull();
  });

  it("are read from an executable that is stored without compression", async () => {
    const entries = ipaEntries({ executable: { claims: CLAIMS, fat: true } }).map((entry) =>
      String(entry.name).endsWith(".app/Example") ? { ...entry, method: 0 as const } : entry,
    );
    expect(await claimedIn(makeZip(entries))).toEqual(CLAIMS);
  });

  it("are not known where bytes of the executable were changed, and nothing else happens", async () => {
    const ipa = makeIpa({ executable: { claims: CLAIMS, codeBytes: 512 } });
    const start = Buffer.from(ipa).indexOf("Example.app/Example");
    for (let at = start + 40; at < start + 900; at += 7) {
      const changed = ipa.slice();
      changed[at] = (changed[at] as number) ^ 0xff;
      const found = await claimedIn(changed).catch((error) => error.name);
      expect([null, "InstallerError", "object"]).toContain(typeof found === "object" ? found && "object" : found);
    }
  });
});

describe("who signed an app", () => {
  const chainOf = async (cms?: Uint8Array) =>
    (await readCodeSignature(bytesSource(makeIpa({ executable: { claims: CLAIMS, cms } }))))?.chain;

  it("is told by the message of its signature", async () => {
    const certificate = new Uint8Array(defaultDeveloper().certificate);
    expect(await chainOf(signContent(Buffer.from("code")))).toEqual([certificate]);
    expect(await chainOf(signContent(Buffer.from("code"), true))).toEqual([certificate]);
  });

  it("is not known without a message, or with a damaged one", async () => {
    const cms = signContent(Buffer.from("code"));
    expect(await chainOf()).toEqual([]);
    expect(await chainOf(Buffer.from("none"))).toEqual([]);
    for (let length = 0; length < cms.length; length += 37) expect(await chainOf(cms.subarray(0, length))).toEqual([]);
    // The message names another signer than the one whose certificate it has.
    const serial = defaultDeveloper().serial;
    const at = Buffer.from(cms).lastIndexOf(serial);
    const other = Uint8Array.from(cms);
    other[at + 4] = (other[at + 4] as number) ^ 1;
    expect(await chainOf(other)).toEqual([]);
  });
});

describe("what a profile does not grant", () => {
  const granted = {
    "application-identifier": "ABCDE12345.*",
    "aps-environment": "development",
    "keychain-access-groups": ["ABCDE12345.*", "com.apple.token"],
    "com.apple.developer.icloud-services": "*",
    "com.apple.developer.nfc.readersession.formats": ["TAG"],
    "get-task-allow": false,
  };

  it.each([
    ["covered by an asterisk", { "application-identifier": "ABCDE12345.com.example.app" }, []],
    ["of another team", { "application-identifier": "ZZZZZ12345.com.example.app" }, ["application-identifier"]],
    ["with another value", { "aps-environment": "production" }, ["aps-environment"]],
    ["with the same value", { "aps-environment": "development" }, []],
    ["with all values in a list", { "keychain-access-groups": ["ABCDE12345.a", "com.apple.token"] }, []],
    ["with one value that is not", { "keychain-access-groups": ["ABCDE12345.a", "b"] }, ["keychain-access-groups"]],
    ["with a list where all are granted", { "com.apple.developer.icloud-services": ["CloudKit"] }, []],
    ["that is missing", { "com.apple.developer.siri": true }, ["com.apple.developer.siri"]],
    ["that is turned off", { "com.apple.developer.siri": false, "get-task-allow": false }, []],
    ["that is turned on", { "get-task-allow": true }, ["get-task-allow"]],
    ["that devices do not check", { "com.example.own": true }, []],
    ["with a name of every object", { "com.apple.developer.constructor": true }, ["com.apple.developer.constructor"]],
  ])("is a claim %s", (_what, claims, names) => {
    expect(ungrantedEntitlements(claims, granted)).toEqual(names);
  });
});

if (!hasFixtures) it("claims of real apps", ({ skip }) => skip("../shared/fixtures is missing"));
const describeReal = hasFixtures ? describe : () => undefined;
describeReal("real apps", () => {
  it("are signed by a chain that ends with Apple’s authority, or by nobody of Apple", async () => {
    const folder = fileURLToPath(new URL("ipa/", FIXTURES));
    let read = 0;
    for (const fileName of readdirSync(folder)) {
      await using source = await openFileSource(join(folder, fileName));
      const chain = ((await readCodeSignature(source))?.chain ?? []).map((bytes) => new X509Certificate(bytes));
      if (chain.length < 2) continue;
      read += 1;
      for (const [at, one] of chain.entries()) {
        const issuer = chain[at + 1] ?? one;
        expect(one.checkIssued(issuer) && one.verify(issuer.publicKey), fileName).toBe(true);
      }
      expect(chain.at(-1)?.subject, fileName).toContain("CN=Apple Root CA");
    }
    expect(read).toBeGreaterThanOrEqual(12);
  });

  it("claim what their profiles grant", async () => {
    const folder = fileURLToPath(new URL("ipa/", FIXTURES));
    let read = 0;
    for (const fileName of readdirSync(folder)) {
      await using source = await openFileSource(join(folder, fileName));
      const installer = await inspectInstaller(source, { fileName });
      const claims = (await readCodeSignature(source))?.claims ?? null;
      if (installer.kind !== "ipa" || claims === null) continue;
      read += 1;
      expect(claims["application-identifier"], fileName).toEqual(expect.stringContaining(installer.identifier));
      expect(ungrantedEntitlements(claims, installer.entitlements), fileName).toEqual([]);
    }
    expect(read).toBeGreaterThanOrEqual(14);
  });
});
