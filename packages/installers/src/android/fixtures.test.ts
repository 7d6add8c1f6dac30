import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { FIXTURE_MANIFEST, FIXTURES, hasFixtures } from "../../testing/real-installers";
import { decodePng } from "../image/png";
import { inspectInstaller } from "../inspect";
import { bytesSource } from "../source";

vi.setConfig({ testTimeout: 30_000 });

const manifestSchema = z.array(
  z.object({
    file: z.string(),
    kind: z.string(),
    expected: z.object({
      min_os: z.string().nullish(),
      target_sdk: z.string().nullish(),
      native_code: z.array(z.string()).nullish(),
      debuggable: z.boolean().nullish(),
      icon: z.unknown().optional(),
      icon_kind: z.string().optional(),
      raster_icons: z.array(z.string()).optional(),
      v1_block_certs: z.array(z.object({ sha256: z.string() })).optional(),
      signing_block_certs_hand_parsed: z.record(z.string(), z.array(z.string())).optional(),
    }),
  }),
);

const fixtures = hasFixtures
  ? manifestSchema
      .parse(JSON.parse(readFileSync(FIXTURE_MANIFEST, "utf8")))
      .filter(({ kind }) => kind === "apk" || kind === "aab")
  : [];

if (!hasFixtures) test("real Android apps", ({ skip }) => skip("../shared/fixtures is missing"));
const describeReal = hasFixtures ? describe : () => undefined;

describeReal("every real Android app and bundle", () => {
  test.each(fixtures.map((fixture) => [fixture.file, fixture] as const))(
    "%s is what aapt and apksigner say that it is",
    async (_, { file, expected }) => {
      const bytes = new Uint8Array(readFileSync(new URL(file, FIXTURES)));
      const installer = await inspectInstaller(bytesSource(bytes), { fileName: basename(file) });
      if (installer.kind === "ipa") throw new Error("not an Android app");
      const number = (text: string | null | undefined) => (text ? Number(text) : null);
      expect({
        minSdk: installer.minSdk,
        targetSdk: installer.targetSdk,
        abis: installer.abis,
        debuggable: installer.debuggable,
        split: installer.split,
      }).toEqual({
        minSdk: number(expected.min_os),
        targetSdk: number(expected.target_sdk),
        abis: expected.native_code ?? [],
        debuggable: expected.debuggable ?? false,
        split: false,
      });

      const schemes = Object.keys(expected.signing_block_certs_hand_parsed ?? {});
      const hasJar = (expected.v1_block_certs?.length ?? 0) > 0;
      expect(installer.signatureSchemes).toEqual([...(hasJar ? ["v1"] : []), ...schemes.toSorted()]);

      expect(installer.icon === null).toBe(!expected.icon);
      const size = /^(?:png|webp) (\d+)x\1$/.exec(expected.icon_kind ?? "")?.[1];
      // aapt prints the icon for medium density; ours has that or a higher density.
      if (size) expect(installer.icon?.width).toBeGreaterThanOrEqual(Number(size));
      if (installer.icon?.contentType === "image/png") {
        const { width, height, rgba } = await decodePng(installer.icon.bytes);
        expect([width, height]).toEqual([installer.icon.width, installer.icon.height]);
        expect(new Set(rgba).size).toBeGreaterThan(1);
      }
    },
  );
});
