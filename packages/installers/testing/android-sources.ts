import { ANDROID_ATTRIBUTES, type AndroidAttribute } from "../src/android/resources/xml";
import { makeIcon } from "./make-icon";

/** A value of a source file, before compilation. */
export type SourceValue =
  | { string: string }
  | { integer: number }
  | { boolean: boolean }
  | { float: number }
  | { color: number }
  /** Density-independent pixels. */
  | { dimension: number }
  /** The "type/name" of a resource of the app, or the id of one of the framework. */
  | { reference: string | number };

export interface SourceAttribute {
  name: string;
  /** The id of an `android:` attribute; undefined for an attribute without a namespace. */
  id?: number;
  value: SourceValue;
}

export interface SourceElement {
  name: string;
  attributes: SourceAttribute[];
  children: SourceElement[];
}

export interface SourceConfig {
  locale?: string;
  density?: number;
  sdkVersion?: number;
  night?: boolean;
}

export interface SourceResource {
  type: string;
  name: string;
  values: { config?: SourceConfig; value: SourceValue }[];
}

/** The sources of an app. The paths of files are those of the resource table ("res/…"). */
export interface AndroidSources {
  manifest: SourceElement;
  resources: SourceResource[];
  files: { path: string; content: Uint8Array | SourceElement }[];
}

/** The properties of an app to be made. */
export interface AndroidAppOptions {
  identifier?: string;
  /** The label in the default language. */
  name?: string;
  /** The label in other languages, by locale. */
  names?: Record<string, string>;
  /** Null omits the attribute. */
  versionName?: string | null;
  versionCode?: number | null;
  versionCodeMajor?: number;
  minSdk?: number | string | null;
  targetSdk?: number | string | null;
  targetSandbox?: number;
  permissions?: string[];
  /** ABIs with native code, such as "arm64-v8a". */
  abis?: string[];
  debuggable?: boolean;
  /** The name of the application’s class. */
  applicationClass?: string;
  testOnly?: boolean;
  /** Components in addition to the launcher's activity. */
  components?: SourceElement[];
  /** The name of the split, for a split APK. */
  split?: string;
  /** Images of several densities (default), an adaptive icon of vectors, or none. */
  icon?: "png" | "adaptive" | "none";
  /** The foreground of the adaptive icon, as WebP. */
  foreground?: Uint8Array;
  /** The hue of the background of the icon, in degrees. */
  hue?: number;
}

const MORE_ATTRIBUTES = { hasCode: 0x0101000c, exported: 0x01010010, scheme: 0x01010027 } as const;

/** An `android:` attribute. */
export function android(name: AndroidAttribute | keyof typeof MORE_ATTRIBUTES, value: SourceValue): SourceAttribute {
  return {
    name,
    id: name in ANDROID_ATTRIBUTES ? ANDROID_ATTRIBUTES[name as AndroidAttribute] : MORE_ATTRIBUTES[name as "hasCode"],
    value,
  };
}

/** An attribute without a namespace. */
export function plain(name: string, value: string): SourceAttribute {
  return { name, value: { string: value } };
}

/** An element. */
export function element(
  name: string,
  attributes: SourceAttribute[] = [],
  children: SourceElement[] = [],
): SourceElement {
  return { name, attributes, children };
}

/** The sizes in pixels of a launcher icon of 48 dp, by density. */
const ICON_SIZES: Record<string, number> = { "160": 48, "240": 72, "320": 96, "480": 144, "640": 192 };
const DENSITY_NAMES: Record<string, string> = {
  "160": "mdpi",
  "240": "hdpi",
  "320": "xhdpi",
  "480": "xxhdpi",
  "640": "xxxhdpi",
};

/** The sources of an app that a device installs. Its activity is that of the framework, so that it needs no code. */
export function androidSources(options: AndroidAppOptions = {}): AndroidSources {
  const {
    identifier = "com.example.app",
    name = "Example",
    versionName = "1.0",
    versionCode = 1,
    minSdk = 24,
    targetSdk = 36,
    icon = "png",
  } = options;
  const sdk = (value: number | string): SourceValue =>
    typeof value === "number" ? { integer: value } : { string: value };
  const iconSources = icon === "none" ? { resources: [], files: [] } : launcherIcon(icon, options);
  const manifest = element(
    "manifest",
    [
      ...(versionCode === null ? [] : [android("versionCode", { integer: versionCode })]),
      ...(versionName === null ? [] : [android("versionName", { string: versionName })]),
      ...(options.targetSandbox === undefined
        ? []
        : [android("targetSandboxVersion", { integer: options.targetSandbox })]),
      ...(options.versionCodeMajor === undefined
        ? []
        : [android("versionCodeMajor", { integer: options.versionCodeMajor })]),
      plain("package", identifier),
      ...(options.split === undefined ? [] : [plain("split", options.split)]),
    ],
    [
      element("uses-sdk", [
        ...(minSdk === null ? [] : [android("minSdkVersion", sdk(minSdk))]),
        ...(targetSdk === null ? [] : [android("targetSdkVersion", sdk(targetSdk))]),
      ]),
      ...(options.permissions ?? []).map((permission) =>
        element("uses-permission", [android("name", { string: permission })]),
      ),
      element(
        "application",
        [
          android("label", { reference: "string/app_name" }),
          ...(options.applicationClass === undefined ? [] : [android("name", { string: options.applicationClass })]),
          ...(icon === "none" ? [] : [android("icon", { reference: "mipmap/ic_launcher" })]),
          android("hasCode", { boolean: false }),
          ...(options.debuggable ? [android("debuggable", { boolean: true })] : []),
          ...(options.testOnly ? [android("testOnly", { boolean: true })] : []),
        ],
        [launcherActivity(), ...(options.components ?? [])],
      ),
    ],
  );
  const names = Object.entries(options.names ?? {});
  return {
    manifest,
    resources: [
      {
        type: "string",
        name: "app_name",
        values: [
          { value: { string: name } },
          ...names.map(([locale, text]) => ({ config: { locale }, value: { string: text } })),
        ],
      },
      ...iconSources.resources,
    ],
    files: iconSources.files,
  };
}

function launcherActivity(): SourceElement {
  return element(
    "activity",
    [android("name", { string: "android.app.Activity" }), android("exported", { boolean: true })],
    [
      element(
        "intent-filter",
        [],
        [
          element("action", [android("name", { string: "android.intent.action.MAIN" })]),
          element("category", [android("name", { string: "android.intent.category.LAUNCHER" })]),
        ],
      ),
    ],
  );
}

function launcherIcon(
  kind: "png" | "adaptive",
  { hue = 210, foreground }: AndroidAppOptions,
): Pick<AndroidSources, "resources" | "files"> {
  if (kind === "adaptive") return adaptiveIcon(foreground);
  const densities = Object.keys(ICON_SIZES);
  const path = (density: string) => `res/mipmap-${DENSITY_NAMES[density]}/ic_launcher.png`;
  return {
    resources: [
      {
        type: "mipmap",
        name: "ic_launcher",
        values: densities.map((density) => ({
          config: { density: Number(density) },
          value: { string: path(density) },
        })),
      },
    ],
    files: densities.map((density) => ({
      path: path(density),
      content: makeIcon({ size: ICON_SIZES[density] as number, hue }),
    })),
  };
}

/** A foreground, by default a white disc as a vector, on a blue background. */
function adaptiveIcon(foreground?: Uint8Array): Pick<AndroidSources, "resources" | "files"> {
  const disc = element(
    "vector",
    [
      android("width", { dimension: 108 }),
      android("height", { dimension: 108 }),
      android("viewportWidth", { float: 108 }),
      android("viewportHeight", { float: 108 }),
    ],
    [
      element("path", [
        android("fillColor", { color: 0xffffffff }),
        android("pathData", { string: "M54,36a18,18 0,1 0,0.01 0z" }),
      ]),
    ],
  );
  const path = foreground ? "res/drawable/disc.webp" : "res/drawable/disc.xml";
  return {
    resources: [
      { type: "color", name: "background", values: [{ value: { color: 0xff1e88e5 } }] },
      { type: "drawable", name: "disc", values: [{ value: { string: path } }] },
      {
        type: "mipmap",
        name: "ic_launcher",
        values: [
          { config: { density: 0xfffe, sdkVersion: 26 }, value: { string: "res/mipmap-anydpi-v26/ic_launcher.xml" } },
        ],
      },
    ],
    files: [
      { path, content: foreground ?? disc },
      {
        path: "res/mipmap-anydpi-v26/ic_launcher.xml",
        content: element(
          "adaptive-icon",
          [],
          [
            element("background", [android("drawable", { reference: "color/background" })]),
            element("foreground", [android("drawable", { reference: "drawable/disc" })]),
          ],
        ),
      },
    ],
  };
}

/** The ids (0x7fTTEEEE) of the resources by "type/name", in the order of the sources. */
export function resourceIds(resources: readonly SourceResource[]): Map<string, number> {
  const types = [...new Set(resources.map((resource) => resource.type))];
  const ids = new Map<string, number>();
  for (const [index, type] of types.entries()) {
    for (const [entry, resource] of resources.filter((resource) => resource.type === type).entries()) {
      ids.set(`${type}/${resource.name}`, ((0x7f << 24) | ((index + 1) << 16) | entry) >>> 0);
    }
  }
  return ids;
}

/** The id of a reference. */
export function referenceId(ids: ReadonlyMap<string, number>, reference: string | number): number {
  const id = typeof reference === "number" ? reference : ids.get(reference);
  if (id === undefined) throw new Error(`no resource ${reference}`);
  return id;
}
