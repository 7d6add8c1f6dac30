import { type ExecutableOptions, makeExecutable } from "./make-executable";
import { makeIcon } from "./make-icon";
import { makeBinaryPlist, makeXmlPlist, type PlistInput } from "./make-plist";
import { makeProfile, type ProfileOptions } from "./make-profile";
import { makeZip, writeZip, type ZipFile } from "./make-zip";

export interface IpaOptions {
  identifier?: string;
  name?: string;
  version?: string;
  build?: string;
  minOs?: string;
  /** The name of the app folder, without ".app". */
  appFolder?: string;
  /** Keys of Info.plist that replace or extend the defaults; undefined removes a key. */
  info?: { readonly [key: string]: PlistInput | undefined };
  /** "binary" (default), as by Xcode, or "xml". */
  infoFormat?: "binary" | "xml";
  /** The provisioning profile, by default for the same identifier; null for none, and no signature either. */
  profile?: ProfileOptions | null;
  /** An executable with a code signature, compressed; by default the first bytes of one. */
  executable?: ExecutableOptions;
  /** "cgbi" (default), as by Xcode, "png", or null for none. */
  icon?: "cgbi" | "png" | null;
  /** The hue of the icon, in degrees. */
  iconHue?: number;
  /** Additional files, by their paths in the app folder. */
  files?: { readonly [path: string]: Uint8Array };
  /** Entries before those of the app. */
  extraEntries?: readonly ZipFile[];
  /** The size of a stored file of zeros, which makes the app as large as a real one. */
  fillerBytes?: number;
}

/** Makes an iOS app in memory. */
export function makeIpa(options: IpaOptions = {}): Uint8Array<ArrayBuffer> {
  return makeZip(ipaEntries(options));
}

/**
 * Writes an iOS app to a file. The filler takes no memory and, on most file systems, no space.
 * @returns the size of the file in bytes
 */
export function writeIpa(path: string, options: IpaOptions = {}): Promise<number> {
  return writeZip(path, ipaEntries(options));
}

/** The archive entries of an iOS app, for tests that modify them. */
export function ipaEntries(options: IpaOptions = {}): ZipFile[] {
  const { identifier = "com.example.app", icon = "cgbi", fillerBytes = 0 } = options;
  const folder = `Payload/${options.appFolder ?? "Example"}.app/`;
  const info = infoContents(options);
  const deflated = (path: string, data: Uint8Array): ZipFile => ({ name: folder + path, data, method: 8 });
  const directory = (name: string): ZipFile => ({ name, data: new Uint8Array(), mode: 0o40755 });

  const entries = [
    ...(options.extraEntries ?? []),
    directory("Payload/"),
    directory(folder),
    deflated("Info.plist", options.infoFormat === "xml" ? makeXmlPlist(info) : makeBinaryPlist(info)),
    deflated("PkgInfo", Buffer.from("APPL????")),
    options.executable
      ? deflated("Example", makeExecutable(options.executable))
      : { name: `${folder}Example`, data: Buffer.from("feedfacf", "hex"), mode: 0o100755 },
  ];
  if (icon) {
    for (const [suffix, size] of [
      ["60x60@2x", 120],
      ["60x60@3x", 180],
      ["76x76@2x~ipad", 152],
    ] as const) {
      const png = makeIcon({ size, cgbi: icon === "cgbi", hue: options.iconHue });
      entries.push({ name: `${folder}AppIcon${suffix}.png`, data: png });
    }
  }
  if (options.profile !== null) {
    entries.push(deflated("embedded.mobileprovision", makeProfile({ identifier, ...options.profile })));
    entries.push(deflated("_CodeSignature/CodeResources", makeXmlPlist({ files: {}, files2: {} })));
  }
  for (const [path, data] of Object.entries(options.files ?? {})) entries.push(deflated(path, data));
  if (fillerBytes > 0) entries.push({ name: `${folder}Assets.bin`, data: { zeros: fillerBytes } });
  return entries;
}

function infoContents(options: IpaOptions): { readonly [key: string]: PlistInput | undefined } {
  const icons = (name: string) => ({ CFBundlePrimaryIcon: { CFBundleIconFiles: [name], CFBundleIconName: "AppIcon" } });
  return {
    CFBundleDevelopmentRegion: "en",
    CFBundleDisplayName: options.name ?? "Example",
    CFBundleExecutable: "Example",
    CFBundleIdentifier: options.identifier ?? "com.example.app",
    CFBundleInfoDictionaryVersion: "6.0",
    CFBundleName: "Example",
    CFBundlePackageType: "APPL",
    CFBundleShortVersionString: options.version ?? "1.0.0",
    CFBundleSupportedPlatforms: ["iPhoneOS"],
    CFBundleVersion: options.build ?? "1",
    ...(options.icon === null
      ? {}
      : { CFBundleIcons: icons("AppIcon60x60"), "CFBundleIcons~ipad": icons("AppIcon76x76") }),
    DTPlatformVersion: "26.0",
    MinimumOSVersion: options.minOs ?? "16.0",
    UIDeviceFamily: [1, 2],
    ...options.info,
  };
}
