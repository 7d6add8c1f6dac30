import { useTranslations } from "next-intl";
import { HoverLink } from "@/components/common/hover-link";
import { RelativeTime } from "@/components/common/relative-time";
import { Avatar } from "@/components/ui/avatar";
import { Card } from "@/components/ui/card";
import type { CountedApp } from "@/lib/features/apps/schema";
import { appPath } from "@/lib/kernel/navigation/pages";

/** Number of applications shown. */
const SHOWN_APPS = 5;

/** The applications with the latest releases. */
export function RecentApps({ apps }: { apps: readonly CountedApp[] }) {
  const t = useTranslations("dashboard");
  const recent = apps
    .flatMap(({ lastReleaseAt, ...app }) => (lastReleaseAt ? [{ ...app, lastReleaseAt }] : []))
    .sort((a, b) => b.lastReleaseAt.localeCompare(a.lastReleaseAt))
    .slice(0, SHOWN_APPS);
  if (recent.length === 0) return null;
  return (
    <Card className="overflow-hidden">
      <h2 className="px-4 pt-4 pb-3 font-semibold leading-5 tracking-tight lg:px-5">{t("recent")}</h2>
      <ul className="divide-y divide-border border-border border-t">
        {recent.map((app) => (
          <li
            key={app.id}
            className="relative flex items-center gap-3 px-4 py-2.5 transition-colors hover:bg-muted/50 has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-[-2px] lg:px-5"
          >
            <Avatar shape="square" name={app.name} src={app.iconUrl} />
            <div className="flex min-w-0 flex-1 flex-col">
              <HoverLink
                href={appPath(app.id, true)}
                title={app.name}
                className="truncate font-medium outline-none after:absolute after:inset-0"
              >
                {app.name}
              </HoverLink>
              <span title={app.identifier} className="truncate font-mono text-muted-foreground text-xs leading-4.5">
                {app.identifier}
              </span>
            </div>
            <span className="text-muted-foreground tabular-nums max-lg:hidden">
              {t("releaseCount", { count: app.releaseCount })}
            </span>
            <RelativeTime date={app.lastReleaseAt} className="shrink-0 text-right text-muted-foreground lg:w-36" />
          </li>
        ))}
      </ul>
    </Card>
  );
}
