export { parsePlist } from "../src/property-list/property-list";
export { makeAab, writeAab } from "./make-aab";
export { makeApk, writeApk } from "./make-apk";
export { makeSigningIdentity, type SigningIdentity } from "./make-certificate";
export { makeIcon } from "./make-icon";
export { makeIpa, writeIpa } from "./make-ipa";
export { processorTimeMs } from "./processor-time";
