import { describe, expect, it } from "vitest";
import { compileBinaryXml, compileResourceTable } from "../../testing/android-binary";
import {
  type AndroidAppOptions,
  android,
  androidSources,
  element,
  plain,
  resourceIds,
  type SourceAttribute,
  type SourceElement,
  type SourceResource,
} from "../../testing/android-sources";
import { interpretManifest } from "./manifest";
import { parseResourceTable } from "./resources/binary-table";
import { parseBinaryXml } from "./resources/binary-xml";
import { NO_RESOURCES } from "./resources/resource-table";

/** Interprets a manifest that was compiled with resources. */
function interpret(manifest: SourceElement, resources: readonly SourceResource[] = []) {
  const ids = resourceIds(resources);
  const table = resources.length > 0 ? parseResourceTable(compileResourceTable("a.b", resources)) : NO_RESOURCES;
  return interpretManifest(parseBinaryXml(compileBinaryXml(manifest, ids)), table);
}

const made = (options: AndroidAppOptions) => {
  const { manifest, resources } = androidSources(options);
  return interpret(manifest, resources);
};

/** A manifest of a package with attributes and children. */
const manifest = (attributes: SourceAttribute[] = [], children: SourceElement[] = []) =>
  element("manifest", [plain("package", "com.example.app"), ...attributes], children);

const launcher = (attributes: SourceAttribute[], category = "android.intent.category.LAUNCHER", tag = "activity") =>
  element(tag, attributes, [
    element(
      "intent-filter",
      [],
      [
        element("action", [android("name", { string: "android.intent.action.MAIN" })]),
        element("category", [android("name", { string: category })]),
      ],
    ),
  ]);

describe("a manifest", () => {
  it("describes the app", () => {
    expect(
      made({
        identifier: "com.example.shop",
        name: "Shop",
        names: { de: "Laden" },
        versionName: "3.1-beta",
        versionCode: 2_100_000_000,
        minSdk: 21,
        targetSdk: 35,
        permissions: ["android.permission.INTERNET", "android.permission.CAMERA", "android.permission.INTERNET"],
        debuggable: true,
      }),
    ).toMatchObject({
      packageName: "com.example.shop",
      label: "Shop",
      versionName: "3.1-beta",
      versionCode: "2100000000",
      minSdk: 21,
      minOs: "21",
      targetSdk: 35,
      permissions: ["android.permission.INTERNET", "android.permission.CAMERA"],
      debuggable: true,
      split: false,
    });
  });

  it("may omit versions, API levels and the label", () => {
    expect(interpret(manifest())).toEqual({
      packageName: "com.example.app",
      versionName: "",
      versionCode: "",
      label: "",
      minSdk: null,
      minOs: null,
      targetSdk: null,
      targetSandbox: 1,
      permissions: [],
      debuggable: false,
      testOnly: false,
      split: false,
      previewCodename: null,
      extractNativeLibs: true,
      requiredLibraries: [],
      deviceTypes: [],
      icons: [],
    });
  });

  it("tells a codename in either version of the system from an API level", () => {
    expect(made({ minSdk: "Baklava", targetSdk: "Baklava" }).previewCodename).toBe("Baklava");
    expect(made({ minSdk: 24, targetSdk: "Z.0123456789abcdef" }).previewCodename).toBe("Z");
    expect(made({ minSdk: "CinnamonBun", targetSdk: null })).toMatchObject({
      previewCodename: "CinnamonBun",
      minSdk: 37,
    });
    expect(made({ minSdk: 24, targetSdk: "36" })).toMatchObject({ previewCodename: null, targetSdk: 36 });
  });

  it("names the libraries without which Android does not install it, once each", () => {
    const uses = (tag: string, name: string, required?: boolean) =>
      element(tag, [
        android("name", { string: name }),
        ...(required === undefined ? [] : [android("required", { boolean: required })]),
      ]);
    const components = [
      uses("uses-library", "com.google.android.wearable"),
      uses("uses-library", "com.google.android.wearable", true),
      uses("uses-library", "androidx.window.extensions", false),
      uses("uses-native-library", "libOpenCL.so"),
      uses("uses-static-library", "com.google.android.trichromelibrary"),
    ];
    expect(made({ components }).requiredLibraries).toEqual([
      "com.google.android.wearable",
      "libOpenCL.so",
      "com.google.android.trichromelibrary",
    ]);
  });

  it("is made for the kinds of devices whose features it requires", () => {
    const feature = (name: string, required?: boolean) =>
      element("uses-feature", [
        android("name", { string: name }),
        ...(required === undefined ? [] : [android("required", { boolean: required })]),
      ]);
    const types = (...features: SourceElement[]) => interpret(manifest([], features)).deviceTypes;
    expect(types(feature("android.hardware.type.watch"))).toEqual(["watch"]);
    expect(types(feature("android.software.leanback", false), feature("android.hardware.camera"))).toEqual([]);
    expect(types(feature("android.hardware.type.automotive", true))).toEqual(["car"]);
    const tv = feature("android.software.leanback");
    expect(types(tv)).toEqual(["tv"]);
    // The launchers of phones show it, too.
    expect(types(tv, element("application", [], [launcher([])]))).toEqual([]);
  });

  it("may reference resources for its versions", () => {
    const resources: SourceResource[] = [
      { type: "string", name: "version", values: [{ value: { string: "9.9" } }] },
      { type: "integer", name: "code", values: [{ value: { integer: 99 } }] },
    ];
    const attributes = [
      android("versionName", { reference: "string/version" }),
      android("versionCode", { reference: "integer/code" }),
    ];
    expect(interpret(manifest(attributes), resources)).toMatchObject({ versionName: "9.9", versionCode: "99" });
  });

  it("has versionCodeMajor as the upper half of the version code", () => {
    expect(made({ versionCode: 25, versionCodeMajor: 1 }).versionCode).toBe("4294967321");
    expect(made({ versionCode: -1, versionCodeMajor: 2 }).versionCode).toBe("12884901887");
    expect(made({ versionCode: 25, versionCodeMajor: 0 }).versionCode).toBe("25");
  });

  it.each([
    ["IceCreamSandwich", 14, "14"],
    ["R", 30, "30"],
    ["Tiramisu", 33, "33"],
    ["Tiramisu.fingerprint", 33, "33"],
    ["34", 34, "34"],
    ["Zzz", null, "Zzz"],
    ["constructor", null, "constructor"],
  ])("has the API level of the codename %s", (codename, minSdk, minOs) => {
    expect(made({ minSdk: codename, targetSdk: codename })).toMatchObject({ minSdk, minOs, targetSdk: minSdk });
  });

  it("has the permissions of every tag", () => {
    const tags = ["uses-permission", "uses-permission-sdk-23", "uses-permission-sdk-m", "permission"];
    const children = tags.map((tag) => element(tag, [android("name", { string: `of.${tag}` })]));
    expect(interpret(manifest([], children)).permissions).toEqual(tags.slice(0, 3).map((tag) => `of.${tag}`));
  });

  it("has the label of the launcher activity when the application has none", () => {
    const label = (text: string) => android("label", { string: text });
    const app = (...activities: SourceElement[]) =>
      interpret(manifest([], [element("application", [], activities)])).label;
    expect(app(element("activity", [label("Other")]), launcher([label("Start")]))).toBe("Start");
    expect(app(launcher([label("Alias")], undefined, "activity-alias"))).toBe("Alias");
    expect(app(launcher([label("TV")], "android.intent.category.LEANBACK_LAUNCHER"))).toBe("TV");
    expect(app(launcher([label("Off"), android("enabled", { boolean: false })]), launcher([label("On")]))).toBe("On");
    expect(app(launcher([label("Home")], "android.intent.category.HOME"))).toBe("");
  });

  it("has text on one line without bidirectional characters", () => {
    const label = android("label", { string: "  Fish\n\u202e& \u2066Chips\u0007 " });
    expect(interpret(manifest([], [element("application", [label])])).label).toBe("Fish & Chips");
    const long = android("versionName", { string: "9".repeat(5000) });
    expect(interpret(manifest([long])).versionName).toHaveLength(255);
  });

  it.each<[string, SourceElement]>([
    ["the name of a split", manifest([plain("split", "config.arm64_v8a")])],
    ["the split that it configures", manifest([plain("configForSplit", "feature")])],
    ["that it is a feature", manifest([android("isFeatureSplit", { boolean: true })])],
    [
      "that splits are required",
      manifest([], [element("application", [android("isSplitRequired", { boolean: true })])]),
    ],
    ["the types of splits that it needs", manifest([android("requiredSplitTypes", { string: "base__abi" })])],
    [
      "that the store requires splits",
      manifest(
        [],
        [
          element(
            "application",
            [],
            [
              element("meta-data", [
                android("name", { string: "com.android.vending.splits.required" }),
                android("value", { boolean: true }),
              ]),
            ],
          ),
        ],
      ),
    ],
  ])("is of a split APK when it has %s", (_, source) => {
    expect(interpret(source).split).toBe(true);
  });

  it("has all icons in order of preference", () => {
    const reference = (id: number) => ({ reference: id });
    const application = element(
      "application",
      [
        android("banner", reference(0x7f010004)),
        android("icon", reference(0x7f010001)),
        android("roundIcon", reference(0x7f010002)),
      ],
      [launcher([android("icon", reference(0x7f010003))])],
    );
    expect(interpret(manifest([], [application])).icons).toEqual(
      [1, 2, 3, 4].map((number) => ({ type: "reference", id: 0x7f010000 + number })),
    );
  });

  it("uses only the first application", () => {
    const application = (text: string) => element("application", [android("label", { string: text })]);
    expect(interpret(manifest([], [application("First"), application("Second")])).label).toBe("First");
  });

  it.each([
    "",
    "../../etc",
    "com.example app",
    "com..example",
    "1com.example",
    ".com",
    "com.",
    `a.${"b".repeat(230)}`,
    "com.exämple",
  ])("is refused with the package name %j", (name) => {
    expect(() => interpret(element("manifest", [plain("package", name)]))).toThrow(
      expect.objectContaining({ reason: "android_package_invalid" }),
    );
  });

  it("is refused when it is other XML", () => {
    expect(() => interpret(element("resources", [plain("package", "com.example.app")]))).toThrow(
      expect.objectContaining({ reason: "android_manifest_invalid" }),
    );
  });
});
