import { describe, expect, it } from "vitest";
import { LOCALES } from "./locales";
import { messagesFor } from "./translator";

/** The error catalogue of the specification: what each entry is called in the messages. */
const CATALOGUE: Record<string, readonly string[]> = {
  "error in the server response": ["clientErrors.unexpected.title", "errors.unexpected.title"],
  "could not connect to the server": ["clientErrors.network.title"],
  "validation error": ["errors.validation_failed.title"],
  "session expired": ["session.expired"],
  "the resource is not available": ["errors.not_found.detail"],
  "cannot get public key": ["auth.publicKeyFailed"],
  "cannot create session": ["failures.auth/email-login"],
  "cannot get login URL": ["failures.auth/oauth-login"],
  "cannot log out": ["failures.auth/logout"],
  "invalid OTP code": ["errors.invalid_otp.title"],
  "cannot delete passkeys": ["failures.auth/delete-user-passkey"],
  "cannot get passkeys": ["passkeys.getFailed"],
  "cannot register passkeys": ["passkeys.registerFailed"],
  "passkey authentication failed": ["errors.invalid_passkey.title"],
  "the response is not a public-key credential": ["validation.publicKeyCredential"],
  "cannot create the credentials": ["failures.auth/create-passkey"],
  users: ["get-users", "register-user", "update-user"].map((name) => `failures.auth/${name}`),
  profile: ["get-user-profile", "update-user-profile"].map((name) => `failures.auth/${name}`),
  "2FA": ["enroll-two-factor", "validate-two-factor-enrollment", "validate-two-factor", "delete-two-factor"].map(
    (name) => `failures.auth/${name}`,
  ),
  "recovery link": ["failures.auth/generate-password-recovery"],
  "audit logs": ["failures.config/get-audit-logs"],
  "provider configuration": ["azure", "github", "google", "gitlab", "apple"].flatMap((provider) =>
    ["get", "create", "update"].map((verb) => `failures.config/${verb}-${provider}-config`),
  ),
  "API tokens": ["get-api-tokens", "create-api-token", "delete-api-token"].map((name) => `failures.config/${name}`),
  "app config": ["get-app-config", "update-app-config"].map((name) => `failures.config/${name}`),
  license: ["get-license", "update-license"].map((name) => `failures.external-services/${name}`),
  permissions: [
    "get-role-permissions",
    "create-role-permission",
    "update-role-permission",
    "delete-role-permission",
  ].map((name) => `failures.permissions/${name}`),
  scopes: ["failures.permissions/get-available-scopes"],
  platforms: ["get-platforms", "create-platform", "update-platform"].map((name) => `failures.config/${name}`),
  roles: ["get-roles", "create-role", "update-role"].map((name) => `failures.config/${name}`),
  apps: ["get-apps", "get-app", "create-app", "update-app"].map((name) => `failures.apps/${name}`),
  environments: ["get-environment-apps", "create-environment-app", "update-environment-app"].map(
    (name) => `failures.apps/${name}`,
  ),
  variables: ["development-variable", "secure-variable"].flatMap((noun) =>
    [`get-${noun}s`, `get-${noun}`, `create-${noun}`, `update-${noun}`, `delete-${noun}`].map(
      (name) => `failures.apps/${name}`,
    ),
  ),
  certificates: ["get-secure-certificates", "create", "update", "delete"].map((name) =>
    name.startsWith("get") ? `failures.apps/${name}` : `failures.apps/${name}-secure-certificate`,
  ),
  releases: ["get-testing-deploys", "create-testing-deploy", "update-testing-deploy", "delete-testing-deploy"].map(
    (name) => `failures.apps/${name}`,
  ),
  "file upload and download": ["failures.files/upload-file", "failures.files/download-file"],
  "certificate file": ["validation.certificateFormat", "certificates.tooLarge", "validation.certificateUnreadable"],
  "QR code could not be generated": ["common.qr.failed"],
  "error loading the QR image": ["common.qr.loadFailed"],
  "text could not be copied": ["common.copy.failedTitle"],
};

function textAt(messages: unknown, key: string): unknown {
  return key
    .split(".")
    .reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], messages);
}

describe.each(LOCALES)("the error catalogue in %s", (locale) => {
  it.each(Object.entries(CATALOGUE))("has words for: %s", (_, keys) => {
    for (const key of keys) expect(textAt(messagesFor(locale), key), key).toMatch(/\S/);
  });

  it("calls no two failures of different operations on the same thing alike", () => {
    const failures = Object.entries(messagesFor(locale).failures).filter(
      ([path]) => !/-(azure|github|google|gitlab|apple)-/.test(path),
    );
    const titles = new Set(failures.map(([, title]) => title));
    // Some operations are the same to the user: a second factor is confirmed in two places, and a password changed in two.
    expect(titles.size).toBeGreaterThan(failures.length * 0.85);
  });
});
