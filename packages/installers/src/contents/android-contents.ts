import { readAabManifest } from "../android/aab";
import { readApkManifest } from "../android/apk";
import { interpretManifest } from "../android/manifest";
import {
  type ResourceTable,
  type ResourceValue,
  resolveBoolean,
  resolveValue,
} from "../android/resources/resource-table";
import { ANDROID_NAMESPACE, androidAttribute, childrenNamed, type XmlElement } from "../android/resources/xml";
import type { Archive } from "../archive/archive";
import { plainText } from "../encoding/text";
import { MAX_ENTRY_BYTES, MAX_MANIFEST_VALUES } from "../limits";
import type { InstallerContents } from "./types";

const LIBRARY = /^(?:[^/]+\/)?lib\/([^/]+)\/([^/]+\.so)$/;
const VERSION_FILE = /^(?:[^/]+\/(?:root\/)?)?META-INF\/([A-Za-z0-9._-]+)\.version$/;
const ACTIVITIES = new Set(["activity", "activity-alias"]);
const COMPONENTS = new Set([...ACTIVITIES, "service", "receiver", "provider"]);
/** The elements whose name is that of a class, and the attributes that are. */
const CLASSES = new Set([...COMPONENTS, "application", "instrumentation"]);
const CLASS_NAMES = new Set([
  "name",
  "targetActivity",
  "parentActivityName",
  "backupAgent",
  "manageSpaceActivity",
  "appComponentFactory",
  "zygotePreloadName",
]);
const VIEW = "android.intent.action.VIEW";

/** Two builds are compared at a time. */
const LIMITS = { stored: MAX_ENTRY_BYTES, compressed: MAX_ENTRY_BYTES };

type AndroidParts = Omit<InstallerContents, "kind" | "size" | "files" | "appFolder">;

/**
 * Reads the manifest of an Android app.
 * @throws InstallerError
 */
export async function androidContents(archive: Archive, kind: "apk" | "aab"): Promise<AndroidParts> {
  const { root, table } = await (kind === "apk" ? readApkManifest : readAabManifest)(archive, LIMITS);
  const manifest = interpretManifest(root, table);
  const reader = new ManifestReader(table, manifest.packageName);
  const application = childrenNamed(root, "application")[0];
  const filters = application ? reader.intentFilters(application) : [];
  const names = [...archive.entries.keys()];
  return {
    permissions: manifest.permissions,
    features: reader.features(root),
    urlSchemes: sortedSet(filters.flatMap(({ schemes }) => schemes)),
    intentFilters: sortedSet(filters.map(({ text }) => text)),
    libraries: sortedSet(names.map((name) => LIBRARY.exec(name)).map((found) => found && `${found[1]}/${found[2]}`)),
    frameworks: sortedSet(names.map((name) => VERSION_FILE.exec(name)?.[1]?.replace("_", ":"))),
    manifest: reader.values(root),
    minimumSystem: manifest.minOs,
    targetSystem: manifest.targetSdk === null ? null : String(manifest.targetSdk),
  };
}

/** The texts, each once, sorted. */
export function sortedSet(texts: readonly (string | null | undefined)[]): string[] {
  return [...new Set(texts.filter((text): text is string => Boolean(text)))].sort();
}

interface IntentFilter {
  text: string;
  schemes: string[];
}

class ManifestReader {
  readonly #known = new Map<string, string | null>();

  /** @param packageName of the app, to which the names of components may be relative */
  constructor(
    private readonly table: ResourceTable,
    private readonly packageName: string,
  ) {}

  features(root: XmlElement): string[] {
    return sortedSet(
      childrenNamed(root, "uses-feature").map((element) => {
        const name = this.text(androidAttribute(element, "name"));
        const required = element.attributes.find(({ name }) => name === "required");
        return name && required && resolveBoolean(this.table, required.value) === false ? `${name} (optional)` : name;
      }),
    );
  }

  intentFilters(application: XmlElement): IntentFilter[] {
    return application.children
      .filter(({ name }) => COMPONENTS.has(name))
      .flatMap((component) =>
        childrenNamed(component, "intent-filter").map((filter) => this.#intentFilter(component, filter)),
      );
  }

  #intentFilter(component: XmlElement, filter: XmlElement): IntentFilter {
    const named = (tag: string) =>
      childrenNamed(filter, tag).map((child) => this.text(androidAttribute(child, "name")) ?? "");
    const actions = named("action");
    // Links open activities only; other components take a scheme as a condition of what they are told.
    const opensLinks = ACTIVITIES.has(component.name) && actions.includes(VIEW);
    const data = childrenNamed(filter, "data").flatMap((child) =>
      child.attributes
        .filter(({ namespace, resourceId }) => namespace === ANDROID_NAMESPACE || resourceId !== 0)
        .map(({ name, value }) => [name, this.text(value) ?? ""] as const),
    );
    const parts = [
      this.#nameOf(component) ?? component.name,
      ...actions,
      ...named("category"),
      ...data.map(([name, text]) => `${name}=${text}`),
    ];
    return {
      text: plainText(parts.join(" "), 1_000),
      schemes: opensLinks ? data.filter(([name]) => name === "scheme").map(([, text]) => text) : [],
    };
  }

  /** The name of an element. */
  #nameOf(element: XmlElement): string | null {
    return this.#valueOf(element, "name", androidAttribute(element, "name"));
  }

  /** The value of an attribute. The package completes the name of a class, as aapt does (ManifestFixer, FullyQualifyClassName). */
  #valueOf(element: XmlElement, attribute: string, value: ResourceValue | null): string | null {
    const text = this.text(value);
    const isClass = CLASS_NAMES.has(attribute) && (attribute !== "name" || CLASSES.has(element.name));
    if (!text || !isClass) return text;
    if (text.startsWith(".")) return `${this.packageName}${text}`;
    return text.includes(".") ? text : `${this.packageName}.${text}`;
  }

  /** The attributes of all elements, by paths such as `application/activity[com.example.Main]@exported`. */
  values(root: XmlElement): Map<string, string | null> {
    const values = new Map<string, string | null>();
    const visit = (element: XmlElement, path: string) => {
      for (const { name, value } of element.attributes) {
        if (values.size >= MAX_MANIFEST_VALUES) return;
        const attribute = value === androidAttribute(element, "name") ? "name" : name;
        values.set(plainText(`${path}@${name}`, 500), this.#valueOf(element, attribute, value));
      }
      const counts = new Map<string, number>();
      for (const child of element.children) {
        // There is one application, whatever its class is called.
        const name = child.name === "application" ? null : this.#nameOf(child);
        const step = name === null ? child.name : `${child.name}[${name}]`;
        const count = (counts.get(step) ?? 0) + 1;
        counts.set(step, count);
        visit(child, `${path === "manifest" ? "" : `${path}/`}${step}${count > 1 ? `#${count}` : ""}`);
      }
    };
    visit(root, "manifest");
    return values;
  }

  /** A value as text; null for a reference that cannot be resolved. */
  text(value: ResourceValue | null): string | null {
    if (value?.type !== "reference") return valueText(value);
    const key = `${value.id}/${value.name ?? ""}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const text = valueText(resolveValue(this.table, value));
    this.#known.set(key, text);
    return text;
  }
}

function valueText(value: ResourceValue | null): string | null {
  switch (value?.type) {
    case "string":
      return plainText(value.value);
    case "integer":
    case "boolean":
    case "float":
    case "dimension":
    case "fraction":
      return String(value.value);
    case "color":
      return `#${value.argb.toString(16).padStart(8, "0")}`;
    default:
      return null;
  }
}
