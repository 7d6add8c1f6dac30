import type { Messages } from "@/lib/kernel/i18n/translator";

type ReasonKey = keyof Messages["install"]["reasons"];

/** Codes whose words depend on more than the code. */
const TITLES: Readonly<Record<string, ReasonKey>> = {
  device_family: "device_family_ipad",
  unknown_sources: "unknown_sources",
};

/**
 * What is in the way of an installation, by its code.
 * @param t of `install.reasons`
 * @param otherSystem what is said of a release for another system
 */
export function obstacleTitle(
  code: string,
  t: { (key: `${ReasonKey}.title`): string; has(key: `${ReasonKey}.title`): boolean },
  otherSystem: string,
): string {
  if (code === "wrong_system") return otherSystem;
  const key = `${TITLES[code] ?? (code as ReasonKey)}.title` as const;
  return t.has(key) ? t(key) : code;
}
