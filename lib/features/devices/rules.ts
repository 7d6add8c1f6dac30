/** The systems of devices. */
export const DEVICE_SYSTEMS = ["ios", "ipados", "android", "desktop"] as const;
export type DeviceSystem = (typeof DEVICE_SYSTEMS)[number];

/** The page of an enrolment on the phone, below which its token is. */
export const ENROLLMENT_PATH = "/d/";

/** The system of a device by Apple's identifier of its model; an iPhone's if the model is not known. */
export function systemOfModel(model: string | null): DeviceSystem {
  return model?.startsWith("iPad") ? "ipados" : "ios";
}

/** The name of a device that its owner has not named. */
export function defaultDeviceName(given: { modelName: string | null; model: string | null; os: DeviceSystem }): string {
  const systems = { ios: "iPhone", ipados: "iPad", android: "Android", desktop: "Desktop" };
  return given.modelName ?? (given.model || systems[given.os]);
}

/** Of the letters of builds, which stand for the minor version from iOS 15 on. */
const MINOR = "ABCDEFGH";
/** The first number of the builds of iOS 15, from which on a letter is a minor version. */
const FIRST_REGULAR = 19;
/** The first number of the builds of iOS 26, which followed iOS 18. */
const FIRST_OF_26 = 23;

/**
 * The version of iOS of a build, such as "22B83", which iOS tells instead of its version: 18.1. Of builds before iOS 15, whose
 * letters follow no rule, the first number alone.
 * @param build a version is returned as it is
 * @returns null if it is neither
 */
export function iosVersionOfBuild(build: string): string | null {
  if (/^\d{1,2}(\.\d{1,3}){1,2}$/.test(build)) return build;
  const [, first, letter = ""] = /^(\d{1,2})([A-Z])\d{1,5}[a-z]?$/.exec(build) ?? [];
  if (first === undefined) return null;
  const train = Number(first);
  const major = train >= FIRST_OF_26 ? train + 3 : train - 4;
  if (major < 1) return null;
  const minor = MINOR.indexOf(letter);
  return train >= FIRST_REGULAR && minor >= 0 ? `${major}.${minor}` : String(major);
}
