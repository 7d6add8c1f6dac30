import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { FIXTURE_MANIFEST, FIXTURES, hasFixtures } from "../../testing/real-installers";
import { inspectInstaller } from "../inspect";
import { installerDetails } from "../schema";
import { bytesSource } from "../source";
import { DESKTOP } from "./device-facts";
import type { DeviceFacts } from "./types";
import { installerFacts, installVerdict } from "./verdict";

const NOW = new Date("2026-11-20T12:00:00Z");

const manifest = z.array(
  z.object({
    file: z.string(),
    kind: z.string(),
    expected: z.object({
      min_os: z.string().nullish(),
      provisioning: z.object({ type: z.string().nullish(), expires: z.string().nullish() }).nullish(),
      signing: z.object({ verifies: z.boolean(), sha256: z.array(z.string()) }).nullish(),
      expected_outcome: z.string().optional(),
    }),
  }),
);
const fixtures = hasFixtures ? manifest.parse(JSON.parse(readFileSync(FIXTURE_MANIFEST, "utf8"))) : [];
const ofKind = (kind: string) =>
  fixtures
    .filter((fixture) => fixture.kind === kind && !fixture.file.startsWith("hostile/"))
    .map((fixture) => [fixture.file, fixture.expected] as const);

async function judge(file: string, device: DeviceFacts) {
  const bytes = new Uint8Array(readFileSync(new URL(file, FIXTURES)));
  const installer = await inspectInstaller(bytesSource(bytes), { fileName: file });
  const facts = installerFacts(installerDetails(installer), installer);
  return (changes: Partial<DeviceFacts>) =>
    installVerdict(facts, { ...device, ...changes }, { now: NOW }).reasons.map(({ code }) => code);
}

/** The apksigner of the fixtures does not know scheme v3.1, which Android 13 and later use. */
const UNREAD_BY_WITNESS = ["apk/apksig-v31-rotation.apk"];

if (!hasFixtures) test("the rules for real apps", ({ skip }) => skip("../shared/fixtures is missing"));
const describeReal = hasFixtures ? describe : () => undefined;

describeReal("the rules for real apps", () => {
  test.each(ofKind("apk"))("agree with aapt and apksigner at the API levels 16 to 36: %s", async (file, expected) => {
    const codes = await judge(file, { ...DESKTOP, os: "android" });
    for (let level = 16; level <= 36; level += 1) {
      const found = codes({ osVersion: String(level) });
      const isTooOld = expected.min_os != null && level < Number(expected.min_os);
      expect([file, level, found.includes("system_too_old")]).toEqual([file, level, isTooOld]);
      if (expected.signing && !UNREAD_BY_WITNESS.includes(file))
        expect(found.includes("unsigned")).toBe(!expected.signing.verifies);
    }
  });

  test.each(ofKind("ipa"))("agree with the provisioning profile: %s", async (file, { provisioning }) => {
    const codes = await judge(file, { ...DESKTOP, os: "ipados" });
    const found = codes({ osVersion: "26.0" });
    const type = provisioning?.type ?? null;
    const isStore = type === "app-store";
    const isOver = provisioning?.expires != null && Date.parse(provisioning.expires) <= NOW.getTime();
    expect([found.includes("no_profile"), found.includes("app_store_build")]).toEqual([type === null, isStore]);
    expect([found.includes("profile_expired"), found.includes("enterprise_trust")]).toEqual([
      isOver && !isStore,
      type === "enterprise",
    ]);
    expect(found.includes("developer_mode")).toBe(type === "development");
  });
});
