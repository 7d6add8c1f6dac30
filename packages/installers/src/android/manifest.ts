import { plainText } from "../encoding/text";
import { InstallerError } from "../errors";
import type { AndroidDeviceType } from "../types";
import {
  type ResourceTable,
  type ResourceValue,
  resolveBoolean,
  resolveInteger,
  resolveText,
} from "./resources/resource-table";
import { androidAttribute, childrenNamed, plainAttribute, type XmlElement } from "./resources/xml";

/** The contents of an AndroidManifest.xml with its resource references resolved. */
export interface AndroidManifest {
  packageName: string;
  /** "" when absent. */
  versionName: string;
  /** Decimal, with versionCodeMajor as its upper 32 bits; "" when absent. */
  versionCode: string;
  /** "" when absent: the device then shows the package name. */
  label: string;
  minSdk: number | null;
  targetSdk: number | null;
  /** targetSandboxVersion; 1 when absent. */
  targetSandbox: number;
  /** The API level of the lowest system, or the codename of a preview without one. */
  minOs: string | null;
  /** The codename of a preview that the lowest or the target system is; only that preview installs it, and no released system. */
  previewCodename: string | null;
  permissions: string[];
  debuggable: boolean;
  testOnly: boolean;
  split: boolean;
  /** False if the libraries are loaded from the APK as they are stored. */
  extractNativeLibs: boolean;
  /** The shared libraries of the system that have to be there. */
  requiredLibraries: string[];
  /** The kinds of devices whose features are required. */
  deviceTypes: AndroidDeviceType[];
  /** The candidates for the icon in order of preference: icon and round icon of application and launcher, logo, banners. */
  icons: ResourceValue[];
}

const MAX_PACKAGE_NAME_LENGTH = 223;
const MAX_PERMISSIONS = 1000;
const MAX_LIBRARIES = 100;

/** The codenames of previews in minSdkVersion and targetSdkVersion, and the API levels of their releases. */
const CODENAMES: Record<string, number> = {
  Cupcake: 3,
  Donut: 4,
  Eclair: 5,
  Froyo: 8,
  Gingerbread: 9,
  Honeycomb: 11,
  IceCreamSandwich: 14,
  JellyBean: 16,
  JellyBeanMR1: 17,
  JellyBeanMR2: 18,
  KeyLimePie: 19,
  L: 21,
  MNC: 23,
  M: 23,
  N: 24,
  O: 26,
  P: 28,
  Q: 29,
  R: 30,
  S: 31,
  Sv2: 32,
  Tiramisu: 33,
  UpsideDownCake: 34,
  VanillaIceCream: 35,
  Baklava: 36,
  CinnamonBun: 37,
};

const PERMISSION_TAGS = new Set(["uses-permission", "uses-permission-sdk-23", "uses-permission-sdk-m"]);
/** The category of activities that launchers of phones show. */
const PHONES = new Set(["android.intent.category.LAUNCHER"]);
const LAUNCHER_CATEGORIES = new Set(["android.intent.category.LAUNCHER", "android.intent.category.LEANBACK_LAUNCHER"]);

/**
 * Interprets a manifest as `aapt dump badging` and the platform's package parser do.
 * @throws InstallerError android_manifest_invalid when the root is not `manifest`; android_package_invalid when the
 * package name is not one
 */
export function interpretManifest(root: XmlElement, table: ResourceTable): AndroidManifest {
  if (root.name !== "manifest") throw new InstallerError("android_manifest_invalid");
  const packageName = resolveText(table, plainAttribute(root, "package")) ?? "";
  // The characters that the platform permits; the name becomes a folder on the device.
  if (!/^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z0-9_]+)*$/.test(packageName) || packageName.length > MAX_PACKAGE_NAME_LENGTH) {
    throw new InstallerError("android_package_invalid", { name: packageName });
  }
  const application = childrenNamed(root, "application")[0] ?? null;
  const launcher = application && launcherActivity(application, table);
  const text = (element: XmlElement | null, name: "label" | "versionName"): string =>
    (element && resolveText(table, androidAttribute(element, name))) ?? "";
  const min = sdk(root, "minSdkVersion", table);
  const target = sdk(root, "targetSdkVersion", table);
  const flag = (name: "debuggable" | "testOnly" | "extractNativeLibs", fallback: boolean) =>
    (application && resolveBoolean(table, androidAttribute(application, name))) ?? fallback;
  return {
    packageName,
    versionName: plainText(text(root, "versionName")),
    versionCode: longVersionCode(root, table),
    label: plainText(text(application, "label")) || plainText(text(launcher, "label")),
    minSdk: min.level,
    minOs: min.level === null ? min.codename : String(min.level),
    targetSdk: target.level,
    previewCodename: min.codename ?? target.codename,
    targetSandbox: resolveInteger(table, androidAttribute(root, "targetSandboxVersion")) ?? 1,
    permissions: permissions(root, table),
    debuggable: flag("debuggable", false),
    testOnly: flag("testOnly", false),
    extractNativeLibs: flag("extractNativeLibs", true),
    requiredLibraries: application ? requiredLibraries(application, table) : [],
    deviceTypes: deviceTypes(
      root,
      table,
      application !== null && launcherActivity(application, table, PHONES) !== null,
    ),
    split: isSplit(root, application, table),
    icons: iconAttributes(application, launcher),
  };
}

function longVersionCode(root: XmlElement, table: ResourceTable): string {
  const code = resolveInteger(table, androidAttribute(root, "versionCode"));
  const major = resolveInteger(table, androidAttribute(root, "versionCodeMajor"));
  if (major) return ((BigInt(major >>> 0) << 32n) | BigInt((code ?? 0) >>> 0)).toString();
  return code === null ? "" : String(code);
}

function sdk(
  root: XmlElement,
  attribute: "minSdkVersion" | "targetSdkVersion",
  table: ResourceTable,
): { level: number | null; codename: string | null } {
  for (const usesSdk of childrenNamed(root, "uses-sdk")) {
    const value = androidAttribute(usesSdk, attribute);
    if (!value) continue;
    const level = resolveInteger(table, value);
    // A level below 0 excludes no system either.
    if (level !== null) return { level: Math.max(0, level), codename: null };
    // The codename of a preview may be followed by a dot and the fingerprint of the build.
    const codename = plainText(resolveText(table, value) ?? "", 40).split(".")[0] as string;
    if (codename)
      return { level: Object.hasOwn(CODENAMES, codename) ? (CODENAMES[codename] as number) : null, codename };
  }
  return { level: null, codename: null };
}

function permissions(root: XmlElement, table: ResourceTable): string[] {
  const names = new Set<string>();
  for (const element of root.children) {
    if (!PERMISSION_TAGS.has(element.name) || names.size >= MAX_PERMISSIONS) continue;
    const name = plainText(resolveText(table, androidAttribute(element, "name")) ?? "");
    if (name) names.add(name);
  }
  return [...names];
}

const LIBRARY_TAGS = new Set(["uses-library", "uses-native-library", "uses-static-library", "uses-sdk-library"]);

/** The name of an element; null if it says that it is not required. */
function requiredName(element: XmlElement, table: ResourceTable): string | null {
  if (resolveBoolean(table, androidAttribute(element, "required")) === false) return null;
  return plainText(resolveText(table, androidAttribute(element, "name")) ?? "") || null;
}

function requiredLibraries(application: XmlElement, table: ResourceTable): string[] {
  const names = application.children
    .filter(({ name }) => LIBRARY_TAGS.has(name))
    .map((element) => requiredName(element, table));
  return [...new Set(names.filter((name) => name !== null))].slice(0, MAX_LIBRARIES);
}

/** The features that only some kinds of devices have (android.content.pm.PackageManager). */
const DEVICE_FEATURES = new Map<string, AndroidDeviceType>([
  ["android.hardware.type.watch", "watch"],
  ["android.hardware.type.television", "tv"],
  ["android.software.leanback", "tv"],
  ["android.software.leanback_only", "tv"],
  ["android.hardware.type.automotive", "car"],
  ["android.hardware.vr.headtracking", "headset"],
  ["android.software.xr.api.spatial", "headset"],
  ["android.software.xr.api.openxr", "headset"],
]);

/** @param isForPhones whether a launcher of phones shows the app, as it does for games of TVs and phones */
function deviceTypes(root: XmlElement, table: ResourceTable, isForPhones: boolean): AndroidDeviceType[] {
  const types = childrenNamed(root, "uses-feature").map((element) =>
    DEVICE_FEATURES.get(requiredName(element, table) ?? ""),
  );
  const known = types.filter((type) => type !== undefined);
  return [...new Set(known)].filter((type) => type !== "tv" || !isForPhones);
}

function isSplit(root: XmlElement, application: XmlElement | null, table: ResourceTable): boolean {
  const text = (value: ResourceValue | null) => resolveText(table, value) ?? "";
  const required = application
    ? childrenNamed(application, "meta-data").some(
        (element) =>
          text(androidAttribute(element, "name")) === "com.android.vending.splits.required" &&
          resolveBoolean(table, androidAttribute(element, "value")) === true,
      )
    : false;
  return (
    required ||
    text(plainAttribute(root, "split")) !== "" ||
    text(plainAttribute(root, "configForSplit")) !== "" ||
    text(androidAttribute(root, "requiredSplitTypes")) !== "" ||
    resolveBoolean(table, androidAttribute(root, "isFeatureSplit")) === true ||
    [root, application].some(
      (element) => element && resolveBoolean(table, androidAttribute(element, "isSplitRequired")) === true,
    )
  );
}

/** The first enabled activity or activity alias that a launcher shows. */
function launcherActivity(
  application: XmlElement,
  table: ResourceTable,
  categories: ReadonlySet<string> = LAUNCHER_CATEGORIES,
): XmlElement | null {
  const names = (filter: XmlElement, tag: string) =>
    childrenNamed(filter, tag).map((child) => resolveText(table, androidAttribute(child, "name")) ?? "");
  const isLauncher = (filter: XmlElement) =>
    names(filter, "action").includes("android.intent.action.MAIN") &&
    names(filter, "category").some((category) => categories.has(category));
  return (
    application.children.find(
      (element) =>
        (element.name === "activity" || element.name === "activity-alias") &&
        resolveBoolean(table, androidAttribute(element, "enabled")) !== false &&
        childrenNamed(element, "intent-filter").some(isLauncher),
    ) ?? null
  );
}

function iconAttributes(application: XmlElement | null, launcher: XmlElement | null): ResourceValue[] {
  const values = [
    application && androidAttribute(application, "icon"),
    application && androidAttribute(application, "roundIcon"),
    launcher && androidAttribute(launcher, "icon"),
    launcher && androidAttribute(launcher, "roundIcon"),
    application && androidAttribute(application, "logo"),
    application && androidAttribute(application, "banner"),
    launcher && androidAttribute(launcher, "banner"),
  ];
  return values.filter((value) => value !== null);
}
