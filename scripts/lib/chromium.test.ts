import { expect, it } from "vitest";
import { findDownloadError } from "./chromium.mjs";

it("the reason why Chromium cannot be downloaded is the first error, without the place in Playwright's code", () => {
  const output = [
    "Downloading Chrome for Testing",
    "Error: getaddrinfo ENOTFOUND cdn.example.com",
    "    at GetAddrInfoReqWrap.onlookupall (node:internal/dns/promises:102:17)",
    "Failed to install browsers",
    "Error: Failed to download Chrome for Testing, caused by",
    "Error: Download failure, code=1",
    "    at ChildProcess._handle.onexit (node:internal/child_process:295:12)",
  ].join("\n");
  expect(findDownloadError(output)).toBe("getaddrinfo ENOTFOUND cdn.example.com");
  expect(findDownloadError("killed\n")).toBe("    killed");
});
