import {
  androidVersionOf,
  type DeviceFacts,
  type InstallVerdict,
  type Reason,
  type ReasonCode,
  type TypedDeviceProblem,
} from "@slipway/installers";
import { usageFailure } from "./failure";

/** The words of a reason: what it is, why, and what to do next. */
export interface ReasonWords {
  title: string;
  detail: string;
  /** Empty where nothing is left to do. */
  steps: string[];
}

type Words = readonly [title: string, detail: string, step?: string];
type Params = Reason["params"];

/** A system version as people call it. */
function systemOf(version: string | number | undefined, isAndroid: boolean): string {
  const known = isAndroid ? androidVersionOf(Number(version)) : null;
  if (!isAndroid) return `version ${version}`;
  return known ? `Android ${known} (API level ${version})` : `API level ${version}`;
}

const REGISTER =
  "Register the device in the Apple Developer account, renew the profile and sign the app with it again.";
const SIGN_AGAIN = "Sign the app with it again and publish that.";

/** The words of each code for the person who publishes the app. */
const WORDS: Readonly<Record<ReasonCode, (params: Params, isAndroid: boolean) => Words>> = {
  wrong_system: ({ for: system }) =>
    system === "android"
      ? ["It is for Android", "iPhones and iPads cannot install Android files.", "Publish an .ipa for them."]
      : ["It is for iPhone and iPad", "Android cannot install .ipa files.", "Publish an .apk for Android."],
  desktop: () => ["A computer does not install it", "Phones and tablets open the link of the release, or its QR code."],
  simulator_build: () => [
    "It was built for the simulator",
    "No iPhone or iPad runs the code of the simulator.",
    "Build the app for a device: archive it in Xcode, and export it with a profile.",
  ],
  device_family: ({ for: family }) =>
    family === "ipad"
      ? ["It is for iPad only", "An iPhone cannot install it.", "Use an iPad, or add iPhone to the app’s devices."]
      : [
          "It is neither for iPhone nor for iPad",
          "It was built for another device of Apple, which installs no apps from a link.",
          "Install it with Xcode or Apple Configurator.",
        ],
  no_profile: () => [
    "It has no provisioning profile",
    "Devices refuse an app without a profile.",
    "Export it from Xcode with an ad hoc, development or enterprise profile.",
  ],
  app_store_build: () => [
    "It is signed for the App Store",
    "With this profile, it installs from the App Store or TestFlight only.",
    "Export it with an ad hoc, development or enterprise profile.",
  ],
  profile_expired: () => [
    "Its provisioning profile has expired",
    "Devices neither install nor open it any more.",
    `Renew the profile. ${SIGN_AGAIN}`,
  ],
  certificate_expired: () => [
    "Its signing certificate has expired",
    "The last certificate of its profile has ended, so devices refuse the app.",
    `Make a certificate and a profile with it. ${SIGN_AGAIN}`,
  ],
  certificate_revoked: () => [
    "Its signing certificate is revoked",
    "Apple says that the certificate is no longer valid, so devices refuse the app.",
    `Make a certificate and a profile with it. ${SIGN_AGAIN}`,
  ],
  entitlement_not_in_profile: ({ names }) => [
    "It claims what its profile does not grant",
    `The profile lacks these entitlements: ${names}.`,
    "Add the capabilities to the App ID, renew the profile and sign the app with it again.",
  ],
  ios_disabled: () => [
    "The installation on iOS is turned off",
    "The console gives this release to no iPhone or iPad.",
    "Turn it on for the release.",
  ],
  not_allowed: () => ["The download is not allowed", "Your role does not include downloads.", "Ask an administrator."],
  manifest_not_https: () => [
    "The console has no HTTPS",
    "iPhones and iPads install apps from HTTPS addresses only.",
    "Give the console an HTTPS address.",
  ],
  device_not_registered: ({ count }) =>
    Number(count) === 0
      ? ["Its profile lists no device", "No device can install the app.", REGISTER]
      : ["The device is not in its profile", `Only the devices of the profile (${count}) install the app.`, REGISTER],
  device_not_enrolled: ({ count }) => [
    "Whether the device is in its profile is not known",
    `Only the devices of the profile (${count}) install the app.`,
    "Compare the UDID of the device with the profile.",
  ],
  device_registered: () => ["The device is in its profile", "It is one of the devices that the profile lists."],
  missing_capability: ({ names }) => [
    "The device lacks what the app requires",
    `This model does not have: ${names}.`,
    "Use another model, or remove the requirement from UIRequiredDeviceCapabilities.",
  ],
  wrong_architecture: ({ names }) => [
    "It has no code for the processor of the device",
    `It contains code for ${names} only.`,
    "Build it for the architecture of the device, too.",
  ],
  enterprise_trust: ({ restarts }) => [
    "The developer has to be trusted first",
    `iOS opens an enterprise app after its developer was trusted in Settings › General › VPN & Device Management${
      restarts === "yes"
        ? ", which restarts the device"
        : restarts === "unknown"
          ? ", which restarts the device from iOS 18 on"
          : ""
    }.`,
    "Trust the developer there once.",
  ],
  developer_mode: () => [
    "Developer Mode has to be on",
    "From iOS 16 on, an app with a development profile opens in Developer Mode only.",
    "Turn it on in Settings › Privacy & Security › Developer Mode.",
  ],
  profile_ends_soon: ({ at }) => [
    "Its provisioning profile expires soon",
    `It expires on ${String(at).slice(0, 10)}. After that, the app does not open any more.`,
    `Renew the profile. ${SIGN_AGAIN}`,
  ],
  unsigned: () => ["It is not signed", "Devices refuse an app without a signature.", "Sign it and publish that."],
  system_too_old: ({ needed, found }, isAndroid) => [
    found === undefined ? "The version of the system is not known" : "The system may be too old",
    `It needs ${systemOf(needed, isAndroid)}${found === undefined ? "" : `, and the device has ${systemOf(found, isAndroid)}`}.`,
    "Update the device, or publish a build for older systems.",
  ],
  browser_cannot_install: () => [
    "Another app shows the page",
    "The browser inside another app may not be allowed to install.",
    "Open the link in the browser of the device.",
  ],
  chain_not_trusted: () => [
    "The console’s authority is not trusted yet",
    "The certificate of the console comes from an authority of its own.",
    "Install and trust the certificate of the authority on the device.",
  ],
  bundle_without_apk: () => [
    "An app bundle does not install on devices",
    "Google Play makes from it what each device installs.",
    "Publish an APK, too.",
  ],
  split_without_base: () => [
    "It is one of several split APKs",
    "Android does not install a part of an app on its own.",
    "Build a universal APK and publish that.",
  ],
  test_only: () => [
    "It is for tests only",
    "Android installs an app with android:testOnly from a computer only (adb install -t).",
    "Build it with Gradle or “Generate App Bundles or APKs” instead of “Run”.",
  ],
  v1_signature_only: () => [
    "It has a v1 signature only",
    "From Android 11 on, an app with this target needs APK Signature Scheme v2 or later.",
    "Sign it with apksigner or the Android Gradle plug-in.",
  ],
  target_sdk_too_low: ({ target, needed }) => [
    "It is made for too old an Android",
    `Its target is API level ${target}; the device installs from ${needed} on.`,
    "Raise targetSdk.",
  ],
  version_lower: ({ build, installed }) => [
    "A later build is installed",
    `Android does not replace version code ${installed} with ${build}.`,
    "Remove the installed app first, or raise the version code.",
  ],
  signature_changed: () => [
    "Another certificate signed it",
    "Android does not update an app with one of another signer.",
    "Remove the installed app first.",
  ],
  unknown_sources: ({ perApp }) => [
    "The browser has to be allowed to install",
    perApp === "no"
      ? "Android asks for it once in Settings › Security › Unknown sources."
      : "Android asks for it the first time that the browser installs an app.",
    "Allow it once.",
  ],
  debuggable: () => [
    "It can be debugged",
    "Whoever has the device and a cable can read the data of the app.",
    "Publish a build with android:debuggable=false to people outside of the team.",
  ],
  page_size: () => [
    "Its libraries are not aligned to 16 KB",
    "On devices with pages of 16 KB, the app does not start or runs in a compatibility mode.",
    "Build the native libraries with an NDK of version 28 or later.",
  ],
  developer_verification: () => [
    "Its developer may have to be registered",
    "Since 2026-09-30, certified devices in Brazil, Indonesia, Singapore and Thailand can refuse apps of developers who are not registered with Google.",
    "Register the package name in the Android Developer Console.",
  ],
};

/** The English words of a reason. */
export function wordsOf({ code, params, severity }: Reason, { os }: Pick<DeviceFacts, "os">): ReasonWords {
  const [title, detail, step] = WORDS[code](params, os === "android");
  const isTooOld = code === "system_too_old" && severity === "blocks";
  return { title: isTooOld ? "The system is too old" : title, detail, steps: step ? [step] : [] };
}

/** The verdict as one phrase. */
export const VERDICT_WORDS: Readonly<Record<InstallVerdict["verdict"], string>> = {
  installs: "installs",
  installs_after_steps: "installs after these steps",
  does_not_install: "does not install",
  unknown: "not known",
};

const SYSTEMS: Readonly<Record<DeviceFacts["os"], string>> = {
  ios: "iPhone",
  ipados: "iPad",
  android: "Android",
  desktop: "Computer",
};

/** A device as people call it, such as "iPhone (iPhone15,2), version 18.1 or later". */
export function deviceName({ os, osVersion, osVersionIsMinimum, model }: DeviceFacts): string {
  const version = osVersion && `${systemOf(osVersion, os === "android")}${osVersionIsMinimum ? " or later" : ""}`;
  return [model ? `${SYSTEMS[os]} (${model})` : SYSTEMS[os], version].filter(Boolean).join(", ");
}

const EXAMPLES = 'Write it as "iphone 17.5", "iPhone15,2 18.1 registered", "android 14 arm64-v8a" or a User-Agent.';

/** The failure for a device that is not understood. */
export function deviceFailure(problem: TypedDeviceProblem, word: string) {
  const messages: Readonly<Record<TypedDeviceProblem, string>> = {
    "too-long": "The device has more than 8,192 characters.",
    "no-system": "The device has no system.",
    "unknown-word": `"${word}" is not understood as part of a device.`,
    version: `"${word}" is not a version of the device’s system, or a second one.`,
    "other-system": `"${word}" is another system than the one before it.`,
  };
  return usageFailure(messages[problem], EXAMPLES);
}
