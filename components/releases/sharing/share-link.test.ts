import { describe, expect, it } from "vitest";
import { isLoopback } from "@/lib/kernel/navigation/loopback";
import { shareLink } from "./share-link";

describe("isLoopback", () => {
  it.each([
    ["http://localhost:3000/releases?id=1", true],
    ["http://127.0.0.1:3000/", true],
    ["http://[::1]:3000/", true],
    ["http://192.168.1.20:3000/", false],
    ["https://mac.local:3000/", false],
    ["https://localhost.example.com/", false],
  ])("of %s is %s: no phone can open it", (url, expected) => {
    expect(isLoopback(url)).toBe(expected);
  });
});

describe("shareLink", () => {
  it("uses the console's public address", () => {
    const link = "https://console.example.com/releases?id=1";
    expect(shareLink(link, "http://10.0.0.5:3000")).toBe(link);
  });

  it("uses the page's address if the settings contain only a loopback address", () => {
    for (const host of ["localhost:3000", "127.0.0.1:3000", "[::1]:3000", "app.localhost"]) {
      expect(shareLink(`http://${host}/releases?id=1`, "http://10.0.0.5:3000")).toBe(
        "http://10.0.0.5:3000/releases?id=1",
      );
    }
  });

  it("does not mistake a public name for a loopback address", () => {
    const link = "https://localhost.example.com/releases?id=1";
    expect(shareLink(link, "http://10.0.0.5")).toBe(link);
  });
});
