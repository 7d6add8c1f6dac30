export { androidName, androidSystem, androidVersionOf, apiLevelOf } from "./android-versions";
export { readContents } from "./contents/contents";
export { type ContentsDiff, diffContents, diffDetails, type InstallerDiff, installerDiffSchema } from "./contents/diff";
export { DIFF_GROUPS, diffLists, hasNotableSizeChange, sdkChanges } from "./contents/summary";
export { CONTENT_KINDS, type ContentKind, type InstallerContents } from "./contents/types";
export { INSTALLER_ERRORS, InstallerError, type InstallerErrorReason } from "./errors";
export { fileNameError, kindFromFileName } from "./file-names";
export { type InspectOptions, inspectInstaller, readCodeSignature } from "./inspect";
export type { CodeSignature } from "./ios/code-signature";
export { ungrantedEntitlements } from "./ios/ungranted-entitlements";
export * as limits from "./limits";
export { profileEnd } from "./profile-end";
export { entitlementsSchema, type InstallerDetails, installerDetails, installerDetailsSchema } from "./schema";
export { type ByteSource, blobSource, bytesSource } from "./source";
export { ipaBinaries } from "./symbols/binaries";
export { readDsyms } from "./symbols/dsym";
export { SYMBOLS_ERRORS, SymbolsError, type SymbolsErrorReason } from "./symbols/errors";
export { readMapping } from "./symbols/mapping";
export { matchSymbols, type SymbolMatch } from "./symbols/match";
export { type MappingFacts, mappingFactsSchema, type SymbolImage, symbolImageSchema } from "./symbols/types";
export {
  type AndroidInstaller,
  type EntitlementValue,
  INSTALLER_KINDS,
  type Installer,
  type InstallerIcon,
  type InstallerKind,
  type IpaInstaller,
  PROFILE_TYPES,
  type ProfileType,
} from "./types";
export { refusedFrom } from "./verdict/android-rules";
export {
  type BrowserFacts,
  DESKTOP,
  DEVICE_HINTS,
  deviceFromBrowser,
  deviceFromHeaders,
  deviceFromText,
  reportedVersion,
  type TypedDeviceProblem,
} from "./verdict/device-facts";
export { DRAWING_SIZE, type DrawingName, drawingOf, drawingShapes } from "./verdict/drawings";
export {
  BROWSERS,
  type ConsoleFacts,
  DEVICE_SYSTEMS,
  type DeviceFacts,
  type InstallerFacts,
  SEVERITIES,
} from "./verdict/types";
export {
  type InstallVerdict,
  installerFacts,
  installVerdict,
  REASON_CODES,
  type Reason,
  type ReasonCode,
  VERDICT_RULES,
  VERDICTS,
} from "./verdict/verdict";
export { type ReasonWords, reasonValues, reasonWords, wordsKey } from "./verdict/words";
