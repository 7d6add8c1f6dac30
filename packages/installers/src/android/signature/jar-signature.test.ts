import { describe, expect, it } from "vitest";
import { fingerprint, signJar } from "../../../testing/android-signing";
import { makeSigningIdentity } from "../../../testing/make-certificate";
import { makeZip, type ZipFile } from "../../../testing/make-zip";
import { openArchive } from "../../archive/archive";
import { bytesSource } from "../../source";
import { type JarSignatureOptions, parseManifest, readJarSignature } from "./jar-signature";

const identity = makeSigningIdentity({ name: "Signer" });
const FILES: ZipFile[] = [
  { name: "AndroidManifest.xml", data: Buffer.from("manifest") },
  {
    name: "res/a name so long that its line in the manifest has to be broken, with é at the break éééé.png",
    data: Buffer.from("1"),
  },
  { name: "META-INF/services/one", data: Buffer.from("2"), method: 8 },
];

async function signersOf(files: readonly ZipFile[], options: Partial<JarSignatureOptions> = {}) {
  const archive = await openArchive(bytesSource(makeZip(files)));
  const signers = await readJarSignature(archive, { blockSchemes: new Set(), ...options });
  return signers?.map(({ sha256 }) => sha256) ?? null;
}

/** The files with the text of one of them changed. */
function changed(files: readonly ZipFile[], name: string, change: (text: string) => string): ZipFile[] {
  return files.map((file) =>
    file.name === name && file.data instanceof Uint8Array
      ? { ...file, data: Buffer.from(change(Buffer.from(file.data).toString("latin1")), "latin1") }
      : file,
  );
}

describe("a JAR signature", () => {
  it.each(["ec", "rsa"] as const)("has the certificate of the signer (%s)", async (keyType) => {
    const signer = makeSigningIdentity({ keyType });
    expect(await signersOf(signJar(FILES, signer))).toEqual([fingerprint(signer)]);
  });

  it("has the certificates of all signers", async () => {
    const other = makeSigningIdentity({ name: "Other" });
    const files = [
      ...signJar(FILES, identity),
      ...signJar(FILES, other, { baseName: "OTHER" }).slice(FILES.length + 1),
    ];
    expect(await signersOf(files)).toEqual([fingerprint(identity), fingerprint(other)]);
  });

  it("is absent without a manifest or a block", async () => {
    expect(await signersOf(FILES)).toBeNull();
    for (const name of ["META-INF/MANIFEST.MF", "META-INF/CERT.EC"]) {
      expect(await signersOf(signJar(FILES, identity).filter((file) => file.name !== name))).toBeNull();
    }
  });

  it("ignores a block without a .SF file when there is another signer", async () => {
    const files = signJar(FILES, identity);
    const stray = { name: "META-INF/STRAY.RSA", data: Buffer.from("nothing"), method: 8 };
    expect(await signersOf([...files, stray])).toEqual([fingerprint(identity)]);
    expect(await signersOf([...FILES, files[FILES.length] as ZipFile, stray])).toBeNull();
  });

  it("is valid after the manifest was rewritten with the same sections", async () => {
    const added = changed(signJar(FILES, identity), "META-INF/MANIFEST.MF", (text) => `${text}\r\n`);
    expect(await signersOf(added)).toEqual([fingerprint(identity)]);
  });

  it.each<[string, (files: ZipFile[]) => ZipFile[]]>([
    ["a file was added", (files) => [...files, { name: "classes2.dex", data: Buffer.from("new") }]],
    ["a file was taken away", (files) => files.filter(({ name }) => name !== "META-INF/services/one")],
    [
      "a digest in the manifest was changed",
      (files) =>
        changed(files, "META-INF/MANIFEST.MF", (text) =>
          text.replace(/Digest: ./, (match) => `${match.slice(0, -1)}${match.endsWith("A") ? "B" : "A"}`),
        ),
    ],
    ["the .SF file was changed", (files) => changed(files, "META-INF/CERT.SF", (text) => text.replace("1.0", "1.1"))],
    [
      "the block was changed",
      (files) =>
        changed(
          files,
          "META-INF/CERT.EC",
          // The last byte may be a zero already.
          (text) => `${text.slice(0, -1)}${text.endsWith("\u0000") ? "\u0001" : "\u0000"}`,
        ),
    ],
    ["the block is no PKCS #7", (files) => changed(files, "META-INF/CERT.EC", () => "text")],
    [
      "a section has no name",
      (files) => changed(files, "META-INF/MANIFEST.MF", (text) => `${text}Other: value\r\n\r\n`),
    ],
    [
      "a section stands twice",
      (files) => changed(files, "META-INF/MANIFEST.MF", (text) => text + text.slice(text.indexOf("Name:"))),
    ],
    [
      "a digest is no Base64",
      (files) => changed(files, "META-INF/MANIFEST.MF", (text) => text.replace(/Digest: ..../g, "Digest: ****")),
    ],
    ["the manifest is empty", (files) => changed(files, "META-INF/MANIFEST.MF", () => "")],
    [
      "an entry is damaged",
      (files) => files.map((file) => (file.name === "META-INF/CERT.SF" ? { ...file, lies: { crc32: 1 } } : file)),
    ],
  ])("is invalid when %s", async (_, change) => {
    expect(await signersOf(change(signJar(FILES, identity)))).toBeNull();
  });

  it("is invalid when known contents do not match their digests", async () => {
    const files = signJar(FILES, identity);
    const contents = (text: string) => new Map([["AndroidManifest.xml", Buffer.from(text)]]);
    expect(await signersOf(files, { contents: contents("manifest") })).toEqual([fingerprint(identity)]);
    expect(await signersOf(files, { contents: contents("another") })).toBeNull();
  });

  it("is invalid when it lists a newer scheme that is missing", async () => {
    const files = signJar(FILES, identity, { attributes: { "X-Android-APK-Signed": "2, 3" } });
    expect(await signersOf(files)).toBeNull();
    expect(await signersOf(files, { blockSchemes: new Set(["2"]) })).toBeNull();
    expect(await signersOf(files, { blockSchemes: new Set(["2", "3"]) })).toEqual([fingerprint(identity)]);
  });
});

describe("a JAR manifest", () => {
  const read = (text: string) => {
    const { main, sections } = parseManifest(Buffer.from(text));
    return [main, ...sections].map(({ attributes, bytes }) => ({
      attributes: Object.fromEntries(attributes),
      text: Buffer.from(bytes).toString(),
    }));
  };

  it.each(["\r\n", "\n", "\r"])("is parsed into sections that end with a blank line (%j)", (end) => {
    const first = `Manifest-Version: 1.0${end}${end}`;
    const second = `Name: a/${end} b${end}SHA1-Digest: eA==${end}${end}`;
    expect(read(first + second)).toEqual([
      { attributes: { "manifest-version": "1.0" }, text: first },
      { attributes: { name: "a/b", "sha1-digest": "eA==" }, text: second },
    ]);
  });

  it("excludes additional blank lines from its sections", () => {
    expect(read("A: 1\n\n\n\nName: b\n\n").map(({ text }) => text)).toEqual(["A: 1\n\n", "Name: b\n\n"]);
  });

  it("joins continued lines before decoding", () => {
    const bytes = Buffer.concat([
      Buffer.from("A: \xc3", "latin1"),
      Buffer.from("\r\n "),
      Buffer.from("\xa9\r\n\r\n", "latin1"),
    ]);
    expect(parseManifest(bytes).main.attributes.get("a")).toBe("é");
  });

  it("may end without a line break", () => {
    expect(read("A: 1\n\nName: b")[1]).toEqual({ attributes: { name: "b" }, text: "Name: b" });
  });
});
