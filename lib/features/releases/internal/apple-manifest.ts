/** The characters that XML 1.0 has no way to write, not even escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(UNWRITABLE, "")
    .replace(/[&<>"']/g, (character) => ESCAPES[character] as string);
}

function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`;
}

function dictionary(entries: [key: string, value: string][]): string {
  return `<dict>${entries.map(([key, value]) => element("key", key) + value).join("")}</dict>`;
}

/**
 * The manifest with which iOS installs an app from a web page: a property list in XML, as Apple's "Distribute
 * proprietary in-house apps" describes it. All URLs are absolute.
 */
export function appleManifest(app: {
  identifier: string;
  version: string;
  title: string;
  packageUrl: string;
  /** A PNG of 57 × 57 pixels. */
  displayImageUrl: string;
  /** A PNG of 512 × 512 pixels. */
  fullSizeImageUrl: string;
}): string {
  const asset = (kind: string, url: string, image: boolean) =>
    dictionary([
      ["kind", element("string", kind)],
      ...(image ? [["needs-shine", "<false/>"] as [string, string]] : []),
      ["url", element("string", url)],
    ]);
  const assets = [
    asset("software-package", app.packageUrl, false),
    asset("display-image", app.displayImageUrl, true),
    asset("full-size-image", app.fullSizeImageUrl, true),
  ];
  const metadata = dictionary([
    ["bundle-identifier", element("string", app.identifier)],
    ["bundle-version", element("string", app.version)],
    ["kind", element("string", "software")],
    ["title", element("string", app.title)],
  ]);
  const item = dictionary([
    ["assets", `<array>${assets.join("")}</array>`],
    ["metadata", metadata],
  ]);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    `<plist version="1.0">${dictionary([["items", `<array>${item}</array>`]])}</plist>`,
    "",
  ].join("\n");
}
