/** Android's versions by API level (developer.android.com, "Uses-sdk", table of platform versions). */
const VERSIONS: Readonly<Record<number, string>> = {
  1: "1.0",
  2: "1.1",
  3: "1.5",
  4: "1.6",
  5: "2.0",
  6: "2.0.1",
  7: "2.1",
  8: "2.2",
  9: "2.3",
  10: "2.3.3",
  11: "3.0",
  12: "3.1",
  13: "3.2",
  14: "4.0",
  15: "4.0.3",
  16: "4.1",
  17: "4.2",
  18: "4.3",
  19: "4.4",
  20: "4.4",
  21: "5.0",
  22: "5.1",
  23: "6.0",
  24: "7.0",
  25: "7.1",
  26: "8.0",
  27: "8.1",
  28: "9",
  29: "10",
  30: "11",
  31: "12",
  32: "12L",
  33: "13",
  34: "14",
  35: "15",
  36: "16",
  37: "17",
};

/** The API level of a system in development (VMRuntime.SDK_VERSION_CUR_DEVELOPMENT). */
export const CUR_DEVELOPMENT = 10_000;

/** The version name of an API level, such as `8.1` for 27; null for an unknown level. */
export function androidVersionOf(apiLevel: number): string | null {
  return VERSIONS[apiLevel] ?? null;
}

/**
 * A system as those name it who install: "Android 4.0".
 * @param level an API level, or the codename of a preview; "API 99" is a level without a known version
 */
export function androidName(level: string | number): string {
  const version = androidVersionOf(Number(level));
  return version === null && /^\d/.test(String(level)) ? `API ${level}` : `Android ${version ?? level}`;
}

/** A system as those name it who build, with its API level: "Android 4.0 (API 14)". */
export function androidSystem(level: string | number): string {
  const name = androidName(level);
  return androidVersionOf(Number(level)) === null ? name : `${name} (API ${level})`;
}

/**
 * The API level of a version as reported by browsers: 28 for `9`, 33 for `13.0.0`.
 *
 * @returns null for an unknown version
 */
export function apiLevelOf(version: string): number | null {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  // Android 12L reports version 12.1.
  if (major === 12) return minor >= 1 ? 32 : 31;
  const levels = Object.entries(VERSIONS)
    .filter(([, name]) => {
      const [wanted, wantedMinor = 0] = name.split(".").map(Number);
      return wanted === major && (major >= 9 || wantedMinor === minor);
    })
    .map(([level]) => Number(level));
  return levels.length === 0 ? null : Math.max(...levels);
}
