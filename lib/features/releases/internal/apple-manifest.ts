import { build, type PlistValue } from "plist";

/** The characters that XML 1.0 cannot represent, not even by a reference. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are removed
const UNREPRESENTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/**
 * The manifest with which iOS installs an app from a web page (Apple, "Distribute proprietary in-house apps to Apple
 * devices"): a property list in XML. All URLs are absolute.
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
  const item: PlistValue = {
    assets: [
      { kind: "software-package", url: app.packageUrl },
      { kind: "display-image", "needs-shine": false, url: app.displayImageUrl },
      { kind: "full-size-image", "needs-shine": false, url: app.fullSizeImageUrl },
    ],
    metadata: {
      "bundle-identifier": app.identifier,
      "bundle-version": xmlText(app.version),
      kind: "software",
      title: xmlText(app.title),
    },
  };
  return build({ items: [item] }, { pretty: false });
}

function xmlText(text: string): string {
  return text.toWellFormed().replace(UNREPRESENTABLE, "");
}
