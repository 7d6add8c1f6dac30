import { describe, expect, it } from "vitest";
import { recordPath } from "./record-path";

const record = { name: "Ada & Co", appId: "a1", environmentId: "e1" };

describe("recordPath", () => {
  it.each([
    ["App", "/registered-app?app=id"],
    ["Environment", "/environment-app?app=a1&environment=e1"],
    ["Release", "/releases?id=id"],
    ["DevVariable", "/dev-variables?app=a1&environment=e1"],
    ["SecureVariable", "/secure-variables?app=a1&environment=e1"],
    ["SecureCertificate", "/secure-certificates?app=a1&environment=e1"],
    ["User", "/admin-users?search=Ada+%26+Co"],
    ["Role", "/admin-roles?search=Ada+%26+Co"],
    ["RolePermission", "/admin-permissions?search=Ada+%26+Co"],
    ["Platform", "/admin-platforms?search=Ada+%26+Co"],
    ["ApiToken", "/admin-app-config?tab=api-tokens"],
    ["Session", null],
  ])("leads from a record of %s to the page of the object", (table, path) => {
    expect(recordPath({ table, recordId: "id", record })).toBe(path);
    expect(recordPath({ table, recordId: "id", record: null })).toBeNull();
  });

  it("leads to the settings, which have no ID", () => {
    expect(recordPath({ table: "AppConfig", recordId: null, record: null })).toBe("/admin-app-config");
    expect(recordPath({ table: "AuthProvider", recordId: "azure", record: null })).toBe(
      "/admin-app-config?tab=configure-sso&provider=azure",
    );
  });
});
