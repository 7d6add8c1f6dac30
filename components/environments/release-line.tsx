import { HoverLink } from "@/components/common/hover-link";
import { RelativeTime } from "@/components/common/relative-time";
import { ProfileBadge } from "@/components/common/releases/profile-badge";
import { Avatar } from "@/components/ui/avatar";
import type { Release } from "@/lib/features/releases/schema";
import { releasePath } from "@/lib/kernel/navigation/pages";
import { ReleaseVersion } from "./release-version";

/** A release as a line of a card: icon, version and build, platform, date and description, linked to its page. */
export function ReleaseLine({ release }: { release: Release }) {
  return (
    <HoverLink
      href={releasePath(release.id)}
      className="-mx-2 flex min-w-0 items-start gap-3 rounded-md px-2 py-2 hover:bg-muted"
    >
      <Avatar shape="square" name={release.displayName} src={release.iconUrl} className="mt-0.5 size-8" />
      <span className="flex min-w-0 flex-1 flex-col gap-0.5">
        <span className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="min-w-0 break-words">
            <span className="font-medium">{release.platform.name}</span> <ReleaseVersion release={release} />
          </span>
          <RelativeTime date={release.deployDate} className="text-muted-foreground text-xs" />
        </span>
        <span title={release.descriptionSummary} className="truncate text-muted-foreground">
          {release.descriptionSummary}
        </span>
        <span className="empty:hidden">
          <ProfileBadge release={release} />
        </span>
      </span>
    </HoverLink>
  );
}
