export { openArchive } from "../src/archive/archive";
export { parsePlist } from "../src/property-list/property-list";
export { aabEntries, makeAab, writeAab } from "./make-aab";
export { makeApk, writeApk } from "./make-apk";
export { makeAssetCatalog } from "./make-asset-catalog";
export { makeSigningIdentity, type SigningIdentity } from "./make-certificate";
export { makeIcon } from "./make-icon";
export { ipaEntries, makeIpa, writeIpa } from "./make-ipa";
export {
  ARCHITECTURES,
  type Architecture,
  dsymEntries,
  makeDsyms,
  makeFatMachO,
  makeMachO,
  makeMapping,
  type SliceOptions,
} from "./make-mach-o";
export { makeBinaryPlist, makeXmlPlist, type PlistInput } from "./make-plist";
export { makeZip, type ZipFile, type ZipOptions } from "./make-zip";
export { processorTimeMs } from "./processor-time";
export { FIXTURE_MANIFEST, FIXTURES, hasFixtures } from "./real-installers";
