import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makeSigningIdentity } from "../../testing/make-certificate";
import { makeXmlPlist } from "../../testing/make-plist";
import { makeProfile, profileContents, signContent } from "../../testing/make-profile";
import { InstallerError } from "../errors";
import { PROFILE_TYPES } from "../types";
import { parseProvisioningProfile } from "./provisioning-profile";

describe("a provisioning profile", () => {
  test("has a name, a team, dates and certificates", () => {
    const certificates = ["A", "B"].map((name) => makeSigningIdentity({ name }).certificate);
    const created = new Date("2025-03-01T08:00:00Z");
    const expires = new Date("2026-03-01T08:00:00Z");
    const options = { name: "Acme Ad Hoc", team: "TEAM123456", teamName: "Acme S.A.", created, expires, certificates };
    expect(parseProvisioningProfile(makeProfile(options))).toMatchObject({
      name: "Acme Ad Hoc",
      team: "TEAM123456",
      teamName: "Acme S.A.",
      created,
      expires,
      certificateSha256: certificates.map((certificate) => createHash("sha256").update(certificate).digest("hex")),
    });
  });

  test.each(PROFILE_TYPES)("of type %s is detected, and its devices are counted", (type) => {
    const profile = parseProvisioningProfile(makeProfile({ type, devices: 7 }));
    expect(profile.type).toBe(type);
    expect(profile.deviceCount).toBe(type === "development" || type === "ad-hoc" ? 7 : null);
  });

  test("for all devices lists none, although it names some", () => {
    const listed = { ...(profileContents({ type: "ad-hoc", devices: 4 }) as object), ProvisionsAllDevices: true };
    const profile = parseProvisioningProfile(signContent(makeXmlPlist(listed)));
    expect(profile).toMatchObject({ type: "enterprise", deviceCount: null, devices: [] });
  });

  test("names the systems that it is for", () => {
    expect(parseProvisioningProfile(makeProfile()).platforms).toEqual(["iOS"]);
  });

  test("lists its devices, as it spells them, and leaves out what is no identifier", () => {
    const devices = ["00008030-001C2D3A1E82802E", "0123456789ABCDEF0123456789abcdef01234567"];
    const deviceIdentifiers = [...devices, "", "1F67E425-350E-434C-9077-9E0791347BBF", "x".repeat(40)];
    expect(parseProvisioningProfile(makeProfile({ deviceIdentifiers }))).toMatchObject({ devices, deviceCount: 5 });
  });

  test("has its entitlements as JSON", () => {
    const entitlements = {
      "aps-environment": "production",
      groups: ["a", ["b"]],
      since: new Date("2020-01-02T03:04:05Z"),
      key: Uint8Array.of(1, 2, 3),
      nested: { deep: true, number: 5 },
    };
    expect(parseProvisioningProfile(makeProfile({ entitlements })).entitlements).toMatchObject({
      ...entitlements,
      since: "2020-01-02T03:04:05.000Z",
      key: "AQID",
    });
  });

  test("is parsed in BER with indefinite lengths and content in parts", () => {
    const expected = parseProvisioningProfile(makeProfile({ name: "Streamed", devices: 100 }));
    const read = parseProvisioningProfile(makeProfile({ name: "Streamed", devices: 100, indefiniteLength: true }));
    expect(read).toEqual(expected);
    expect(read.deviceCount).toBe(100);
  });

  test.each(["\n", "\r\n", "\0\0\0", "-- \n"])("is parsed with %j behind it", (rest) => {
    const bytes = Buffer.concat([makeProfile({ name: "Acme" }), Buffer.from(rest)]);
    expect(parseProvisioningProfile(bytes).name).toBe("Acme");
  });

  test("from old tools, with a prefix instead of a team, is parsed", () => {
    const contents = {
      ...(profileContents({ type: "enterprise" }) as object),
      TeamIdentifier: undefined,
      TeamName: undefined,
    };
    const profile = parseProvisioningProfile(signContent(makeXmlPlist(contents)));
    expect([profile.team, profile.teamName, profile.type]).toEqual(["ABCDE12345", null, "enterprise"]);
  });
});

describe("an invalid provisioning profile is refused", () => {
  const refused = (bytes: Uint8Array) => {
    expect(() => parseProvisioningProfile(bytes)).toThrow(expect.objectContaining({ reason: "profile_invalid" }));
  };

  test.each<[string, () => Uint8Array]>([
    ["nothing", () => new Uint8Array()],
    ["a property list that nobody signed", () => makeXmlPlist(profileContents({}))],
    ["a certificate", () => makeSigningIdentity().certificate],
    ["a signed text", () => signContent(Buffer.from("hello { world"))],
    ["a signed list that is no dictionary", () => signContent(makeXmlPlist(["a"]))],
    ["a profile cut in half", () => makeProfile().subarray(0, 1500)],
    ["constructed values nested without end", () => Buffer.alloc(200_000, "3080", "hex")],
    ["a length of four gigabytes", () => Buffer.from("3084ffffffff0609", "hex")],
  ])("%s", (_, make) => {
    refused(make());
  });

  test("any damage leads to a profile or an InstallerError", () => {
    const genuine = [makeProfile(), makeProfile({ indefiniteLength: true })];
    const change = fc.record({ at: fc.nat(), value: fc.integer({ min: 0, max: 255 }) });
    fc.assert(
      fc.property(
        fc.constantFrom(...genuine),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        fc.nat(),
        (source, changes, cut) => {
          const bytes = new Uint8Array(source);
          // Most of what matters is in the first bytes.
          for (const { at, value } of changes) bytes[at % (value % 2 === 0 ? 120 : bytes.length)] = value;
          try {
            parseProvisioningProfile(cut % 4 === 0 ? bytes.subarray(0, cut % bytes.length) : bytes);
          } catch (error) {
            expect(error).toBeInstanceOf(InstallerError);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  test("random bytes are refused", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), refused));
  });
});
