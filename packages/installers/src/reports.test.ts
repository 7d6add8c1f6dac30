import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { makeIcon } from "../testing/make-icon";
import { FIELD_MANIFEST, FIXTURES } from "../testing/real-installers";
import { InstallerError } from "./errors";
import { inspectInstaller } from "./inspect";
import { installerDetails } from "./schema";
import { bytesSource } from "./source";
import type { Installer } from "./types";
import { DESKTOP } from "./verdict/device-facts";
import { installerFacts, installVerdict } from "./verdict/verdict";

vi.setConfig({ testTimeout: 30_000 }); // a busy machine takes many times longer

const text = z.string().optional();
/** A text, or several of which each is right. */
const one = z.string().or(z.array(z.string())).optional();
const manifestSchema = z.array(
  z.object({
    file: z.string(),
    kind: z.string(),
    expect: z.object({
      id: text,
      version: one,
      build: text,
      name: one,
      minOs: text,
      icon: z.boolean().or(z.array(z.number())).optional(),
      arch: z.array(z.string()).optional(),
      verdict: text,
      notVerdict: text,
    }),
    device: z.object({ os: text, model: text, abis: z.null().optional() }),
    refuse: z.boolean().optional(),
    /** How a file is made that is not kept. */
    make: text,
  }),
);
type Row = z.infer<typeof manifestSchema>[number];

const hasFiles = existsSync(FIELD_MANIFEST);
const rows = hasFiles ? manifestSchema.parse(JSON.parse(readFileSync(FIELD_MANIFEST, "utf8"))) : [];
const kept = rows.filter(({ make }) => make === undefined).map((row) => [`${row.file}: ${row.kind}`, row] as const);

/** What may be refused instead, with the true cause. */
const REFUSED: Readonly<Record<string, string>> = {
  "a30-version-long.apk": "value_too_long",
  "i30-long-version.ipa": "value_too_long",
  "b01-wechat.apk.1": "file_renamed",
  "b06-x.xapk": "apk_set",
  "b07-x.apks": "apk_set",
  "b08-x.apkm": "apk_set",
  "n10-backslash.ipa": "ipa_backslashes",
  "n11-lowercase-payload.ipa": "ipa_payload_name",
  "n12-app-without-payload.ipa": "ipa_app_outside",
};

function inspect({ file }: Row): Promise<Installer> {
  const bytes = new Uint8Array(readFileSync(new URL(`field/${file}`, FIXTURES)));
  return inspectInstaller(bytesSource(bytes), { fileName: file, toPng: async () => makeIcon({ size: 108 }) });
}

function verdictOf(installer: Installer, { device }: Row): string {
  const phone =
    installer.kind === "ipa"
      ? { os: "ios" as const, osVersion: "26.0", registered: true }
      : { os: "android" as const, osVersion: device.os ?? "36", abis: device.abis === null ? [] : ["arm64-v8a"] };
  const facts = installerFacts(installerDetails(installer), installer);
  const now = new Date("2026-11-28T12:00:00Z");
  return installVerdict(facts, { ...DESKTOP, ...phone, model: device.model ?? null }, { now }).verdict;
}

if (!hasFiles) test("installers of public reports", ({ skip }) => skip("../shared/fixtures/field is missing"));
const describeReports = hasFiles ? describe : () => undefined;

describeReports("an installer of a public report", () => {
  test.each(kept)("%s", async (_, row) => {
    const reason = REFUSED[row.file];
    if (reason !== undefined) {
      await expect(inspect(row)).rejects.toMatchObject({ name: InstallerError.name, reason });
      return;
    }
    const { id, version, build, name, minOs, icon, arch, verdict, notVerdict } = row.expect;
    const installer = await inspect(row);
    const { identifier, buildNumber, displayName } = installer;
    expect([identifier, buildNumber]).toEqual([id ?? identifier, build ?? buildNumber]);
    expect([version].flat()).toContain(installer.version);
    if (name !== undefined) expect([name].flat()).toContain(displayName);
    if (minOs !== undefined) expect(installer.minOs).toBe(minOs);
    if (icon !== undefined) expect(installer.icon).not.toBeNull();
    if (Array.isArray(icon)) expect([installer.icon?.width, installer.icon?.height]).toEqual(icon);
    if (arch !== undefined) expect(installer).toMatchObject({ architectures: arch });
    const found = verdictOf(installer, row);
    if (verdict !== undefined) expect(found).toBe(verdict);
    if (notVerdict !== undefined) expect(found).not.toBe(notVerdict);
  });
});
