import type { Archive } from "../archive/archive";
import { plainText } from "../encoding/text";
import { readInfo, requiredCapabilities, usageDescriptions } from "../ios/ipa";
import { MAX_MANIFEST_VALUES } from "../limits";
import { arrayOf, asText, type PlistDictionary, type PlistValue, textOf } from "../property-list/property-list";
import { sortedSet } from "./android-contents";
import type { InstallerContents } from "./types";

const FRAMEWORK = /^Frameworks\/([^/]+)\.framework\//;
const LIBRARY = /^Frameworks\/([^/]+\.dylib)$/;

type IosParts = Omit<InstallerContents, "kind" | "size" | "files" | "appFolder">;

/**
 * Reads the Info.plist of an iOS app.
 * @throws InstallerError
 */
export async function iosContents(archive: Archive, folder: string): Promise<IosParts> {
  const info = await readInfo(archive, folder);
  const names = [...archive.entries.keys()]
    .filter((name) => name.startsWith(folder))
    .map((name) => name.slice(folder.length));
  return {
    permissions: usageDescriptions(info),
    features: sortedSet(requiredCapabilities(info)),
    urlSchemes: urlSchemes(info),
    intentFilters: [],
    libraries: sortedSet(names.map((name) => LIBRARY.exec(name)?.[1])),
    frameworks: sortedSet(names.map((name) => FRAMEWORK.exec(name)?.[1])),
    manifest: values(info),
    minimumSystem: textOf(info, "MinimumOSVersion"),
    targetSystem: textOf(info, "DTPlatformVersion"),
  };
}

function urlSchemes(info: PlistDictionary): string[] {
  const types = arrayOf(info, "CFBundleURLTypes").filter((type) => type instanceof Map);
  return sortedSet(types.flatMap((type) => arrayOf(type, "CFBundleURLSchemes").map(asText)));
}

/** All values, by paths such as `CFBundleURLTypes[0].CFBundleURLName`. */
function values(info: PlistDictionary): Map<string, string | null> {
  const found = new Map<string, string | null>();
  const visit = (value: PlistValue, path: string): void => {
    if (found.size >= MAX_MANIFEST_VALUES) return;
    if (value instanceof Map) {
      for (const [key, member] of value) visit(member, path === "" ? key : `${path}.${key}`);
    } else if (Array.isArray(value)) {
      for (const [index, member] of value.entries()) visit(member, `${path}[${index}]`);
    } else {
      found.set(plainText(path, 500), valueText(value));
    }
  };
  visit(info, "");
  return found;
}

function valueText(value: Exclude<PlistValue, PlistValue[] | PlistDictionary>): string {
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  return plainText(String(value));
}
