import { useNow, useTranslations } from "next-intl";
import { HoverLink } from "@/components/common/hover-link";
import { ProfileBadge } from "@/components/common/releases/profile-badge";
import { nearProfileEnd } from "@/components/common/releases/profile-end";
import { Alert } from "@/components/ui/alert";
import type { Release } from "@/lib/features/releases/schema";
import { releasePath } from "@/lib/kernel/navigation/pages";
import { ReleaseVersion } from "./release-version";

/** Lists the latest releases whose provisioning profile expires soon or has expired, the most urgent first. */
export function EndingProfiles({ newest }: { newest: readonly Release[] }) {
  const t = useTranslations("environments.profile");
  const now = useNow();
  const ending = newest
    .flatMap((release) => {
      const end = nearProfileEnd(release, now);
      return end ? [{ release, end }] : [];
    })
    .sort((a, b) => a.end.date.getTime() - b.end.date.getTime());
  if (ending.length === 0) return null;
  return (
    <Alert tone="warning" role="note" title={t("noticeTitle", { count: ending.length })}>
      <p>{t("noticeDescription")}</p>
      <ul className="mt-2 flex flex-col gap-1.5">
        {ending.map(({ release }) => (
          <li key={release.id} className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <HoverLink href={releasePath(release.id)}>
              {release.environment.name} · {release.platform.name} <ReleaseVersion release={release} />
            </HoverLink>
            <ProfileBadge release={release} />
          </li>
        ))}
      </ul>
    </Alert>
  );
}
