import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { bytesSource, type InstallerKind, kindFromFileName } from "@slipway/installers";
import {
  aabEntries,
  FIXTURE_MANIFEST,
  FIXTURES,
  hasFixtures,
  ipaEntries,
  makeApk,
  makeAssetCatalog,
  makeSigningIdentity,
  makeZip,
  openArchive,
  type ZipFile,
} from "@slipway/installers/testing";

/** An intact installer, from which others are made. */
export interface Base {
  name: string;
  kind: InstallerKind;
  bytes: Uint8Array;
  /** The entries that describe it, decompressed. */
  entries: readonly ZipFile[];
}

/** Larger installers give their entries alone. In bytes. */
const MAX_WHOLE_BYTES = 1024 * 1024;
/** Larger entries are left out. In bytes. */
const MAX_ENTRY_BYTES = 4 * 1024 * 1024;

/** The entries of real installers that describe them. */
const DESCRIBES =
  /^(Payload\/[^/]+\.app\/(Info\.plist|embedded\.mobileprovision|Assets\.car|AppIcon[^/]*\.png|Icon[^/]*\.png)|AndroidManifest\.xml|resources\.arsc|BundleConfig\.pb|base\/(manifest\/AndroidManifest\.xml|resources\.pb)|META-INF\/[^/]+\.(MF|SF|RSA|EC|DSA))$/;

async function describingEntries(bytes: Uint8Array): Promise<ZipFile[]> {
  const archive = await openArchive(bytesSource(bytes));
  const entries: ZipFile[] = [];
  for (const entry of archive.entries.values()) {
    if (!DESCRIBES.test(entry.name) || entry.uncompressedSize > MAX_ENTRY_BYTES) continue;
    const data = await archive.read(entry, MAX_ENTRY_BYTES);
    entries.push({ name: entry.name, data, method: entry.method === 0 ? 0 : 8 });
  }
  return entries;
}

const catalog = () =>
  makeAssetCatalog("AppIcon", [
    { width: 60, height: 60, encoding: "gzip", data: new Uint8Array(60 * 60 * 4) },
    { width: 20, height: 20, encoding: "plain", data: new Uint8Array(20 * 20 * 4) },
  ]);

async function generated(): Promise<Base[]> {
  const made = (name: string, kind: InstallerKind, entries: readonly ZipFile[]): Base => ({
    name,
    kind,
    entries,
    bytes: makeZip(entries),
  });
  const apk = async (name: string, options: Parameters<typeof makeApk>[0]): Promise<Base> => {
    const bytes = await makeApk(options);
    return { name, kind: "apk", bytes, entries: await describingEntries(bytes) };
  };
  const rotatedTo = makeSigningIdentity({ name: "Rotated" });
  return [
    made("ipa", "ipa", ipaEntries()),
    made("ipa with XML", "ipa", ipaEntries({ infoFormat: "xml", icon: "png", profile: { indefiniteLength: true } })),
    made("ipa with a catalog", "ipa", ipaEntries({ icon: null, files: { "Assets.car": catalog() } })),
    made("ipa without a profile", "ipa", ipaEntries({ profile: null, icon: null })),
    await apk("apk", {}),
    await apk("apk of all schemes", { schemes: ["v1", "v2", "v3", "v3.1"], rotatedTo, abis: ["arm64-v8a"] }),
    await apk("apk in UTF-16", { binary: { utf8: false, layout: "sparse" }, icon: "adaptive" }),
    await apk("apk with 16-bit offsets", { binary: { layout: "offset16" }, names: { de: "Beispiel", ar: "مثال" } }),
    await apk("apk with compact entries", { binary: { layout: "compact" }, schemes: ["v1"] }),
    made("aab", "aab", aabEntries()),
    made(
      "aab with an adaptive icon",
      "aab",
      aabEntries({ icon: "adaptive", names: { fr: "Exemple" }, identity: null }),
    ),
  ];
}

/** The real installers of `../shared/fixtures`; none where they are missing. */
async function real(): Promise<Base[]> {
  if (!hasFixtures) return [];
  const bases: Base[] = [];
  const listed: { file: string; kind: string }[] = JSON.parse(readFileSync(FIXTURE_MANIFEST, "utf8"));
  for (const { file, kind } of listed) {
    if (kindFromFileName(`a${extname(file)}`) !== kind) continue;
    const bytes = new Uint8Array(readFileSync(new URL(file, FIXTURES)));
    const entries = await describingEntries(bytes).catch(() => []);
    if (entries.length === 0) continue;
    const whole = bytes.length <= MAX_WHOLE_BYTES ? bytes : makeZip(entries);
    bases.push({ name: file, kind: kind as InstallerKind, bytes: whole, entries });
  }
  return bases;
}

/** The installers of the generators, and the real ones where they are present. */
export async function makeCorpus(): Promise<Base[]> {
  return [...(await generated()), ...(await real())];
}
