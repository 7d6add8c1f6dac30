export { androidVersionOf, apiLevelOf } from "./android-versions";
export { type BrowserDevice, DESKTOP, deviceOf } from "./browser-device";
export { INSTALLER_ERRORS, InstallerError, type InstallerErrorReason } from "./errors";
export { type InspectOptions, inspectInstaller, kindFromFileName } from "./inspect";
export {
  type Device,
  type Installability,
  type InstallabilityOptions,
  type InstallFacts,
  type InstallNote,
  type InstallRefusal,
  installability,
  installFacts,
  type ProfileEnd,
  profileEnd,
} from "./installability";
export * as limits from "./limits";
export { type InstallerDetails, installerDetails, installerDetailsSchema } from "./schema";
export { type ByteSource, blobSource, bytesSource } from "./source";
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
export {
  type BrowserFacts,
  DESKTOP_FACTS,
  deviceFromText,
  type TypedDeviceProblem,
} from "./verdict/device-facts";
export {
  type ConsoleFacts,
  DEVICE_SYSTEMS,
  type DeviceFacts,
  type InstallerFacts,
  type Severity,
} from "./verdict/types";
export {
  type InstallVerdict,
  installerFacts,
  installVerdict,
  type Reason,
  type ReasonCode,
} from "./verdict/verdict";
