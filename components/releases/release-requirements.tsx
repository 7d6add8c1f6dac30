import { androidName, profileEnd } from "@slipway/installers";
import { useNow, useTranslations } from "next-intl";
import { useRelativeFormat } from "@/components/common/relative-format";
import { nearProfileEnd } from "@/components/common/releases/profile-end";
import type { Release } from "@/lib/features/releases/schema";

/** Facts in a line that wraps, with a dot before each; those at the beginning of a line are clipped. */
export const DOTTED =
  "-ml-4 flex flex-wrap [clip-path:inset(0_0_0_1rem)] [&>*]:relative [&>*]:pl-4 [&>*]:before:absolute [&>*]:before:left-1.5 [&>*]:before:content-['·']";

/** The oldest system that installs a release: "iOS 17 or later". Renders nothing if it is not known. */
export function Requirement({ release: { installer, minOs } }: { release: Pick<Release, "installer" | "minOs"> }) {
  const t = useTranslations("releases.facts");
  if (minOs === null) return null;
  if (installer.kind === "ipa") return <span>{t("iosOrLater", { version: minOs })}</span>;
  return <span>{t("orLater", { version: androidName(minOs) })}</span>;
}

/** When a release stops installing and opening. Renders nothing if it does not, or if `ProfileBadge` says so. */
export function Expiry({ release }: { release: Pick<Release, "installer"> }) {
  const t = useTranslations("builds");
  const relative = useRelativeFormat();
  const now = useNow();
  const end = profileEnd(release.installer);
  if (!end || nearProfileEnd(release, now)) return null;
  return <span>{t("expires", { when: relative(end, now) })}</span>;
}
