import {
  androidSystem,
  type DeviceFacts,
  type InstallerKind,
  type InstallVerdict,
  type Reason,
  type ReasonWords,
  reasonWords,
  type TypedDeviceProblem,
} from "@slipway/installers";
import { createTranslator } from "use-intl/core";
import en from "@/messages/en.json";
import { usageFailure } from "./failure";

const { reasons } = en.install;

const translate = createTranslator({ locale: "en", messages: { install: { reasons } }, timeZone: "UTC" });

/** The words of a reason, as the console says them in English. */
export function wordsOf(reason: Reason, kind: InstallerKind, now: Date): ReasonWords {
  return reasonWords(translate, reason, kind, now);
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

/** A device as people call it, such as "iPhone (iPhone15,2), version 18.1 or later" or "Pixel 9, Android 16 (API 36)". */
export function deviceName({ os, osVersion, osVersionIsMinimum, model }: DeviceFacts): string {
  const isAndroid = os === "android";
  const system = osVersion && (isAndroid ? androidSystem(osVersion) : `version ${osVersion}`);
  // The version of Android names the system.
  const kind = isAndroid && (model || system?.startsWith("Android")) ? null : SYSTEMS[os];
  const device = kind && model ? `${kind} (${model})` : (model ?? kind);
  return [device, system && `${system}${osVersionIsMinimum ? " or later" : ""}`].filter(Boolean).join(", ");
}

const EXAMPLES =
  'Write it as "iphone 17.5", "iPhone15,2 18.1 registered", "Pixel 9 android 16 arm64-v8a" or a User-Agent.';

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
