import { readFileSync } from "node:fs";
import { basename, extname } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { processorTimeMs } from "../testing/processor-time";
import { FIXTURE_MANIFEST, FIXTURES, hasFixtures } from "../testing/real-installers";
import { InstallerError } from "./errors";
import { inspectInstaller } from "./inspect";
import { parseProvisioningProfile } from "./ios/provisioning-profile";
import { installerDetails } from "./schema";
import { bytesSource } from "./source";
import { INSTALLER_KINDS, type Installer } from "./types";

vi.setConfig({ testTimeout: 30_000 }); // a busy machine takes many times longer

const text = z.string().nullish();
const icon = z.object({ w: z.number(), h: z.number() });
const manifestSchema = z.array(
  z.object({
    file: z.string(),
    kind: z.string(),
    expected: z.object({
      bundle_id: text,
      version_name: text,
      build_number: text,
      display_name: text,
      min_os: text,
      device_family: z.array(z.number()).nullish(),
      signing_sha256: z.array(z.string()).nullish(),
      provisioning: z
        .object({
          name: text,
          type: text,
          team: text,
          team_name: text,
          created: text,
          expires: text,
          devices: z.number().nullish(),
          developer_certs: z.number(),
          get_task_allow: z.boolean().nullish(),
          application_identifier: text,
        })
        .nullish(),
      cms_ok: z.boolean().optional(),
      icon: z
        .object({ found: z.record(z.string(), icon) })
        .or(z.string())
        .nullish(),
      aapt: z.object({ bundle_id: text, version_name: text, build_number: text, display_name: text }).optional(),
      signing: z.object({ verifies: z.boolean(), sha256: z.array(z.string()) }).nullish(),
      expected_outcome: z.string().optional(),
    }),
  }),
);
type Fixture = z.infer<typeof manifestSchema>[number];

const fixtures = hasFixtures ? manifestSchema.parse(JSON.parse(readFileSync(FIXTURE_MANIFEST, "utf8"))) : [];
const ofKind = (...kinds: string[]) => fixtures.filter(({ kind }) => kinds.includes(kind));
const bytesOf = (fixture: Fixture) => new Uint8Array(readFileSync(new URL(fixture.file, FIXTURES)));

/** Inspects a fixture: the installer, or the InstallerError. Any other error fails the test. */
async function outcome(fixture: Fixture, fileName = basename(fixture.file)): Promise<Installer | InstallerError> {
  const started = processorTimeMs();
  const result = await inspectInstaller(bytesSource(bytesOf(fixture)), { fileName }).catch((error: unknown) => {
    if (error instanceof InstallerError) return error;
    throw error;
  });
  expect(processorTimeMs() - started).toBeLessThan(20_000);
  return result;
}

async function read(fixture: Fixture): Promise<Installer> {
  const result = await outcome(fixture);
  if (result instanceof InstallerError) throw result;
  return result;
}

const instant = (iso: string | null | undefined) => (iso ? new Date(iso).toISOString() : null);

if (!hasFixtures) test("real installers", ({ skip }) => skip("../shared/fixtures is missing"));
const describeReal = hasFixtures ? describe : () => undefined;

describeReal("every real installer", () => {
  test.each(ofKind("ipa", "apk", "aab").map((fixture) => [fixture.file, fixture] as const))(
    "%s is what other tools say that it is",
    async (_, fixture) => {
      const { expected } = fixture;
      const installer = await read(fixture);
      expect(installer.kind).toBe(fixture.kind);
      expect({
        identifier: installer.identifier,
        version: installer.version,
        buildNumber: installer.buildNumber,
        displayName: installer.displayName,
        minOs: installer.minOs,
        signingSha256: installer.signingSha256.slice(0, fixture.kind === "ipa" ? 3 : undefined),
      }).toEqual({
        identifier: expected.bundle_id,
        version: expected.version_name ?? "",
        buildNumber: expected.build_number ?? "",
        displayName: expected.display_name || expected.bundle_id, // an app without a label shows its package name
        minOs: expected.min_os ?? null,
        signingSha256: expected.signing_sha256 ?? [],
      });
      expect(installerDetails(installer).kind).toBe(fixture.kind);
    },
  );
});

describeReal("every real iOS app", () => {
  test.each(ofKind("ipa").map((fixture) => [fixture.file, fixture] as const))(
    "%s has its profile and the largest of its icons",
    async (_, fixture) => {
      const { provisioning, icon, device_family } = fixture.expected;
      const installer = await read(fixture);
      if (installer.kind !== "ipa") throw new Error("no iOS app");
      expect(installer).toMatchObject({
        profileName: provisioning?.name ?? null,
        profileType: provisioning?.type ?? null,
        team: provisioning?.team ?? null,
        teamName: provisioning?.team_name ?? null,
        profileCreated: instant(provisioning?.created),
        profileExpiry: instant(provisioning?.expires),
        deviceCount: provisioning?.devices ?? null,
        deviceFamilies: (device_family ?? []).map((family) => (family === 1 ? "iphone" : "ipad")),
      });
      expect(installer.signingSha256).toHaveLength(provisioning?.developer_certs ?? 0);
      expect(installer.entitlements["application-identifier"]).toBe(provisioning?.application_identifier);

      const found = typeof icon === "object" ? Object.values(icon?.found ?? {}) : [];
      const [largest] = found.toSorted((a, b) => b.w - a.w);
      expect(installer.icon && { w: installer.icon.width, h: installer.icon.height }).toEqual(
        largest ? { w: largest.w, h: largest.h } : null,
      );
    },
  );
});

describeReal("every real provisioning profile", () => {
  test.each(ofKind("provision").map((fixture) => [fixture.file, fixture] as const))(
    "%s is what openssl and plistutil say that it is",
    (_, fixture) => {
      const { provisioning, cms_ok } = fixture.expected;
      if (cms_ok === false) {
        expect(() => parseProvisioningProfile(bytesOf(fixture))).toThrow(InstallerError);
        return;
      }
      const profile = parseProvisioningProfile(bytesOf(fixture));
      expect({
        name: profile.name,
        type: profile.type,
        team: profile.team,
        teamName: profile.teamName,
        created: profile.created?.toISOString(),
        expires: profile.expires?.toISOString(),
        devices: profile.deviceCount,
        certificates: profile.certificateSha256.length,
      }).toEqual({
        name: provisioning?.name,
        type: provisioning?.type,
        team: provisioning?.team,
        teamName: provisioning?.team_name,
        created: instant(provisioning?.created),
        expires: instant(provisioning?.expires),
        devices: provisioning?.devices ?? null,
        certificates: provisioning?.developer_certs,
      });
      expect(profile.entitlements["get-task-allow"]).toBe(provisioning?.get_task_allow ?? undefined);
    },
  );
});

describeReal("every hostile file", () => {
  const hostile = ofKind("hostile");
  const archives = hostile.filter(({ file }) => [".zip", ".notzip", ".ipa", ".apk", ".aab"].includes(extname(file)));
  const refused = archives.filter(({ expected }) =>
    /^(?:must be rejected|not an installer)/.test(`${expected.expected_outcome}`),
  );
  const tolerated = archives.filter((fixture) => !refused.includes(fixture));

  test.each(refused.map((fixture) => [fixture.file, fixture] as const))(
    "%s is refused as an installer of any kind",
    async (_, fixture) => {
      for (const kind of INSTALLER_KINDS) {
        const result = await outcome(fixture, `release.${kind}`);
        expect(result).toBeInstanceOf(InstallerError);
        expect(result).not.toHaveProperty("reason", "extension_unsupported");
      }
    },
  );

  test.each(tolerated.map((fixture) => [fixture.file, fixture] as const))(
    "%s is read for what it is, and its signature is believed only where it is good",
    async (_, fixture) => {
      const { aapt, signing, expected_outcome } = fixture.expected;
      const result = await outcome(fixture);
      if (result instanceof InstallerError) {
        expect(expected_outcome).not.toMatch(/^should parse/);
        return;
      }
      expect(result.identifier).toBe(aapt?.bundle_id);
      if (aapt?.version_name) expect(result.version).toBe(aapt.version_name);
      if (aapt?.build_number) expect(result.buildNumber).toBe(aapt.build_number);
      if (aapt?.display_name) expect(result.displayName).toBe(aapt.display_name);
      expect(result.signingSha256).toEqual(signing?.verifies ? signing.sha256 : []);
    },
  );

  test.each(
    hostile.filter(({ file }) => file.endsWith(".mobileprovision")).map((fixture) => [fixture.file, fixture] as const),
  )("%s is refused as a profile", (_, fixture) => {
    expect(() => parseProvisioningProfile(bytesOf(fixture))).toThrow(InstallerError);
  });
});
