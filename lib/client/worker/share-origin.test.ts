import { expect, it } from "vitest";
import { isFromAnotherSite } from "./share-origin";

it.each([
  ["an app of the device", "", false],
  ["a page of the console", "https://slipway.example/home", false],
  ["a page of another site", "https://evil.example/", true],
  ["a page of another port", "https://slipway.example:8443/home", true],
  ["a page of the same host over plain HTTP", "http://slipway.example/", true],
  ["an app that names itself", "android-app://com.example.files", false],
])("a file that %s sends is taken or not", (_, referrer, refused) => {
  expect(isFromAnotherSite({ referrer }, "https://slipway.example")).toBe(refused);
});
