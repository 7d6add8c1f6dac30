import { KeyRound } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { EnvironmentBadge } from "@/components/common/apps/environment-badge";
import { DataTableFrame } from "@/components/common/data-table/data-table-frame";
import { HoverLink } from "@/components/common/hover-link";
import { RelativeTime } from "@/components/common/relative-time";
import { Avatar } from "@/components/ui/avatar";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import type { Dashboard } from "@/lib/features/dashboard/schema";
import type { Release } from "@/lib/features/releases/schema";
import { releasePath } from "@/lib/kernel/navigation/pages";

export type NewestReleasesProps = {
  items: Dashboard["releases"];
  /** The action of a row. */
  share: (release: Release) => ReactNode;
  /** The controls that filter the list. */
  filters: ReactNode;
  /** Whether one of them is active. */
  filtered: boolean;
};

/** The newest releases of all applications, each in one row; nothing if there is none and no filter. */
export function NewestReleases({ items, share, filters, filtered }: NewestReleasesProps) {
  const t = useTranslations("dashboard");
  if (items.length === 0 && !filtered) return null;
  return (
    <Card className="overflow-hidden">
      <DataTableFrame
        toolbar={
          <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 pt-3 lg:px-5">
            <h2 className="font-semibold leading-5 tracking-tight">{t("recent")}</h2>
            {filters}
          </div>
        }
      >
        {items.length === 0 && (
          <p className="border-border border-t px-4 py-6 text-center text-muted-foreground lg:px-5">
            {t("filters.nothing")}
          </p>
        )}
        <ul className="divide-y divide-border border-border border-t empty:hidden">
          {items.map((release) => (
            <li
              key={release.id}
              className="group relative flex items-center gap-3 px-4 py-2.5 transition-colors hover:bg-muted/50 has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-[-2px] lg:px-5"
            >
              <Avatar shape="square" name={release.app.name} src={release.iconUrl} className="size-9" />
              <div className="flex min-w-0 flex-1 flex-col gap-0.5">
                <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
                  <HoverLink
                    href={releasePath(release.id)}
                    className="flex min-w-0 max-w-full items-baseline gap-1.5 font-medium outline-none after:absolute after:inset-0"
                  >
                    <span title={release.app.name} className="truncate">
                      {release.app.name}
                    </span>{" "}
                    <span className="max-w-40 shrink-0 truncate font-mono font-normal text-[0.8125rem]">
                      {release.version} <span className="text-muted-foreground">({release.buildNumber})</span>
                    </span>
                  </HoverLink>
                  <Badge tone="outline" className="max-w-40">
                    <span className="truncate">{release.platform.name}</span>
                    {release.installer.kind !== "ipa" && <span className="font-mono">.{release.installer.kind}</span>}
                  </Badge>
                  <span className="flex min-w-0 max-w-40">
                    <EnvironmentBadge name={release.environment.name} />
                  </span>
                </div>
                <p title={release.descriptionSummary} className="truncate text-muted-foreground text-xs leading-4.5">
                  {release.descriptionSummary}
                </p>
              </div>
              <Author createdBy={release.createdBy} />
              <RelativeTime
                date={release.deployDate}
                className="shrink-0 text-right text-muted-foreground text-xs max-lg:max-w-20 lg:w-24 lg:group-focus-within:hidden lg:group-hover:hidden"
              />
              {/* In front of the row's link. It takes the place of the date, and is reached by the keyboard too. */}
              <div className="relative z-1 flex w-24 shrink-0 justify-end max-lg:hidden lg:not-group-hover:not-group-focus-within:sr-only">
                {share(release)}
              </div>
            </li>
          ))}
        </ul>
      </DataTableFrame>
    </Card>
  );
}

/** Who published a release: the picture of a user, or the sign of an API token. */
function Author({ createdBy }: Pick<Release, "createdBy">) {
  const t = useTranslations("dashboard");
  if (!createdBy) return null;
  return (
    <span title={createdBy.name} className="flex shrink-0 items-center max-lg:hidden">
      <span className="sr-only">{t("publishedBy", { name: createdBy.name })}</span>
      {createdBy.kind === "user" ? (
        <Avatar name={createdBy.name} src={createdBy.avatarUrl} className="size-6 text-[0.625rem]" />
      ) : (
        <span className="flex size-6 items-center justify-center rounded-full border border-border bg-muted">
          <KeyRound aria-hidden className="size-3 text-muted-foreground" />
        </span>
      )}
    </span>
  );
}
