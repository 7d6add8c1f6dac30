import { describe, expect, it } from "vitest";
import { shareLink } from "./share-link";

describe("shareLink", () => {
  it("is the console's public address", () => {
    const link = "https://console.example.com/releases?id=1";
    expect(shareLink(link, "http://10.0.0.5:3000")).toBe(link);
  });

  it("is the address by which the page was opened where the settings name only this machine", () => {
    for (const host of ["localhost:3000", "127.0.0.1:3000", "[::1]:3000", "app.localhost"]) {
      expect(shareLink(`http://${host}/releases?id=1`, "http://10.0.0.5:3000")).toBe(
        "http://10.0.0.5:3000/releases?id=1",
      );
    }
  });

  it("does not take a public name for this machine", () => {
    const link = "https://localhost.example.com/releases?id=1";
    expect(shareLink(link, "http://10.0.0.5")).toBe(link);
  });
});
