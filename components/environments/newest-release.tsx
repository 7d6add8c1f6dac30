import { HoverLink } from "@/components/common/hover-link";
import { RelativeTime } from "@/components/common/relative-time";
import { ProfileBadge } from "@/components/common/releases/profile-badge";
import type { Release } from "@/lib/features/releases/schema";
import { releasePath } from "@/lib/kernel/navigation/pages";
import { ReleaseVersion } from "./release-version";

/** A release in a table cell: version and build, date, and whether its profile expires soon. */
export function NewestRelease({ release }: { release: Release }) {
  return (
    <span className="flex min-w-0 flex-col items-start gap-1">
      <span className="flex flex-wrap items-baseline gap-x-2">
        {/* In front of the link that covers the row. */}
        <HoverLink
          href={releasePath(release.id)}
          className="relative z-1 rounded-sm hover:underline hover:underline-offset-4"
        >
          <ReleaseVersion release={release} />
        </HoverLink>
        <RelativeTime date={release.deployDate} className="whitespace-nowrap text-muted-foreground text-xs" />
      </span>
      <ProfileBadge release={release} />
    </span>
  );
}
