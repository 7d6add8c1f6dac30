import { describe, expect, it } from "vitest";
import { permissionGroups } from "./permission-groups";

describe("permissionGroups", () => {
  it("lists each group once", () => {
    const permissions = [
      "android.permission.INTERNET",
      "android.permission.RECORD_AUDIO",
      "android.permission.ACCESS_FINE_LOCATION",
      "android.permission.ACCESS_COARSE_LOCATION",
    ];
    expect(permissionGroups(permissions)).toEqual(["location", "microphone"]);
  });

  it("ignores permissions that apps define", () => {
    expect(permissionGroups(["com.example.CAMERA", "CAMERA", "constructor", ""])).toEqual([]);
  });
});
