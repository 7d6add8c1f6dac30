import { parsePlist } from "@slipway/installers/testing";
import fc from "fast-check";
import { expect, it } from "vitest";
import { appleManifest } from "./apple-manifest";

const app = {
  identifier: "com.acme.app",
  version: "2.4.0",
  title: "Acme",
  packageUrl: "https://slipway.example/api/x?token=a&part=ipa",
  displayImageUrl: "https://slipway.example/api/x?token=a&part=icon",
  fullSizeImageUrl: "https://slipway.example/api/x?token=a&part=icon-large",
};

/** Dictionaries of a property list as plain objects. */
function plain(value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, inner]) => [key, plain(inner)]));
  return Array.isArray(value) ? value.map(plain) : value;
}

function read(manifest: string): unknown {
  return plain(parsePlist(new TextEncoder().encode(manifest)));
}

it("names the package, both images and the app, as Apple's document has it", () => {
  expect(read(appleManifest(app))).toEqual({
    items: [
      {
        assets: [
          { kind: "software-package", url: app.packageUrl },
          { kind: "display-image", "needs-shine": false, url: app.displayImageUrl },
          { kind: "full-size-image", "needs-shine": false, url: app.fullSizeImageUrl },
        ],
        metadata: {
          "bundle-identifier": "com.acme.app",
          "bundle-version": "2.4.0",
          kind: "software",
          title: "Acme",
        },
      },
    ],
  });
});

it("begins with its XML declaration at the first byte and escapes what XML would take for its own", () => {
  const manifest = appleManifest({ ...app, title: `</string><key>x</key> "A" & 'B'` });
  expect(manifest.startsWith("<?xml ")).toBe(true);
  expect(manifest).toContain("<string>&lt;/string&gt;&lt;key&gt;x&lt;/key&gt; \"A\" &amp; 'B'</string>");
  expect(manifest).toContain("token=a&amp;part=ipa");
});

it("is a property list that contains the title, with any characters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 40 }), (title) => {
      const list = read(appleManifest({ ...app, title })) as { items: { metadata: { title: string } }[] };
      const writable = [...title.toWellFormed()].filter((character) => {
        const code = character.codePointAt(0) as number;
        return code >= 0x20 ? code !== 0xfffe && code !== 0xffff : [9, 10, 13].includes(code);
      });
      // XML reads every line break as a line feed.
      const expected = writable.join("").replace(/\r\n?/g, "\n");
      expect(list.items[0]?.metadata.title.replace(/\r\n?/g, "\n")).toBe(expected);
    }),
    { numRuns: 500 },
  );
});
