import { expect, it } from "vitest";
import { modelName } from "./internal/model-names";
import { iosVersionOfBuild, systemOfModel } from "./rules";

it.each([
  ["22B83", "18.1"],
  ["21A329", "17.0"],
  ["19H370", "15.7"],
  ["23A341", "26.0"],
  ["23C5027f", "26.2"],
  ["16H81", "12"],
  ["7A341", "3"],
  ["18.1.1", "18.1.1"],
  ["3A109", null],
  ["", null],
  ["22", null],
  ["iOS 18", null],
])("reads the build %j as the version %s", (build, version) => {
  expect(iosVersionOfBuild(build)).toBe(version);
});

it("knows the names of models, also of those with an identifier for each size of memory", () => {
  expect(["iPhone15,2", "iPad8,10", "iPad13,5", "iPhone99,1", "constructor", null].map(modelName)).toEqual([
    "iPhone 14 Pro",
    "iPad Pro 11″ (2nd generation)",
    "iPad Pro 11″ (3rd generation)",
    null,
    null,
    null,
  ]);
});

it("tells an iPad by its model", () => {
  expect([systemOfModel("iPad8,1"), systemOfModel("iPhone8,1"), systemOfModel(null)]).toEqual(["ipados", "ios", "ios"]);
});
