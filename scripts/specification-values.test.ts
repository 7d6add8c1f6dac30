import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CERTIFICATE_FORMATS } from "@slipway/certificates";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { CHECK_INTERVAL_MS } from "@/components/common/session/session-clock";
import { TOUR_STEPS } from "@/components/common/tour/tour-progress";
import { totpUri } from "@/lib/auth/totp";
import { createApiTokenInput } from "@/lib/features/api-tokens/schema";
import { createCertificateInput } from "@/lib/features/certificates/schema";
import { MAX_IMAGE_BYTES } from "@/lib/features/files/schema";
import { createRolePermissionInput } from "@/lib/features/permissions/schema";
import { createPlatformInput } from "@/lib/features/platforms/schema";
import { registerUserInput } from "@/lib/features/users/schema";
import { createVariableInput } from "@/lib/features/variables/schema";
import { LOCALES } from "@/lib/kernel/i18n/locales";
import { translatorFor } from "@/lib/kernel/i18n/translator";
import { projectDir } from "./lib/files.mjs";

const source = (...path: string[]) => readFileSync(join(projectDir, ...path), "utf8");

describe("a form without input names each required field", () => {
  const missing = (schema: z.ZodType) =>
    [...new Set(schema.safeParse({}).error?.issues.map(({ path }) => String(path[0])))].sort();

  it.each<[string, z.ZodType, string[]]>([
    ["of a permission", createRolePermissionInput, ["roleId", "scopes"]],
    ["of a platform", createPlatformInput, ["logoFileId", "name"]],
    ["of a user", registerUserInput, ["email", "firstNames", "lastNames", "provider", "roleId"]],
    ["of a variable", createVariableInput, ["key", "name", "value"]],
    ["of a certificate", createCertificateInput, ["key", "name", "value"]],
    ["of an API token", createApiTokenInput, ["identifiers"]],
  ])("%s", (_, schema, fields) => {
    expect(missing(schema)).toEqual(expect.arrayContaining(fields));
  });

  it("of an API token, which has at least one identifier", () => {
    expect(missing(createApiTokenInput.pick({ identifiers: true }))).toEqual(["identifiers"]);
    expect(createApiTokenInput.shape.identifiers.safeParse([]).success).toBe(false);
  });
});

describe("the constants of the specification", () => {
  it("the session is checked every 60 seconds", () => expect(CHECK_INTERVAL_MS).toBe(60_000));
  it("images have at most 300,000 bytes", () => expect(MAX_IMAGE_BYTES).toBe(300_000));
  it("certificates have the allowed formats", () => {
    const specified = ["pem", "crt", "cer", "der", "p7b", "p7c", "p12", "pfx", "key"];
    // Keystores of Java are a further format, for the keys that sign Android apps.
    expect(CERTIFICATE_FORMATS.filter((format) => format !== "jks")).toEqual(specified);
  });
  it("the tour has five steps and a final one", () => expect(TOUR_STEPS).toHaveLength(5));
  it("the second factor uses SHA-256", () => {
    const uri = totpUri({ secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP", account: "a@b.c", issuer: "Slipway" } as never);
    expect(uri).toContain("algorithm=SHA256");
  });
  it("notifications are shown for 5 seconds at the top right", () => {
    const toaster = source("components", "common", "toaster.tsx");
    expect(toaster).toContain("NOTIFICATION_DURATION_MS = 5000");
    const [, properties = ""] = /<SonnerToaster\b([^>]*)>/.exec(toaster.replaceAll("=>", "")) ?? [];
    expect(properties).toContain("duration={NOTIFICATION_DURATION_MS}");
    expect(properties).toContain('position="top-right"');
  });
  it("phones are narrower than 992 px", () => {
    expect(source("app", "globals.css")).toContain("--breakpoint-lg: 62rem");
  });
  it("a platform is activa or inactiva in Spanish", () => {
    const t = translatorFor("es");
    expect(t("common.status.active", { gender: "feminine" })).toMatch(/^activa$/i);
    expect(t("common.status.inactive", { gender: "feminine" })).toMatch(/^inactiva$/i);
  });
  it("the failures of the QR code, the clipboard and the image size have words in six languages", () => {
    for (const locale of LOCALES) {
      const t = translatorFor(locale);
      for (const key of [
        "common.qr.failed",
        "common.qr.loadFailed",
        "common.copy.failedTitle",
        "common.image.tooLarge",
      ]) {
        expect(t.has(key as never), `${locale} ${key}`).toBe(true);
      }
    }
  });
});
