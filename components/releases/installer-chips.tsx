import { HoverLink } from "@/components/common/hover-link";
import { releaseName } from "@/components/common/releases/release-name";
import type { Release } from "@/lib/features/releases/schema";
import { releasePath } from "@/lib/kernel/navigation/pages";
import { installerName } from "./release-groups";

/** The installers of a version, each as a link to its release. */
export function InstallerChips({ releases }: { releases: readonly Release[] }) {
  return (
    <span className="flex flex-wrap gap-1 lg:w-max lg:max-w-44">
      {releases.map((release) => (
        <HoverLink
          key={release.id}
          href={releasePath(release.id)}
          title={release.displayName}
          // In front of the link that covers the row.
          className="relative z-1 inline-flex h-6 items-center whitespace-nowrap rounded-md border border-border bg-card px-1.5 font-medium text-muted-foreground text-xs hover:border-input hover:text-foreground max-lg:h-8 max-lg:px-2.5"
        >
          {installerName(release)}
          <span className="sr-only"> {releaseName(release)}</span>
        </HoverLink>
      ))}
    </span>
  );
}
