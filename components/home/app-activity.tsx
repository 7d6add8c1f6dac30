import { useTranslations } from "next-intl";
import { HoverLink } from "@/components/common/hover-link";
import { LinkButton } from "@/components/common/link-button";
import { SmallBars } from "@/components/common/plots/small-bars";
import { releaseName } from "@/components/common/releases/release-name";
import { Avatar } from "@/components/ui/avatar";
import { Card } from "@/components/ui/card";
import type { DashboardApp } from "@/lib/features/dashboard/schema";
import { appPath, PAGES, releasePath } from "@/lib/kernel/navigation/pages";

/** Number of environments shown for each application. */
const SHOWN_ENVIRONMENTS = 4;

/** The applications in which something was published last, with the latest release of each environment and the installs of a week. */
export function AppActivity({ apps, total }: { apps: readonly DashboardApp[]; total: number }) {
  const t = useTranslations("dashboard");
  if (apps.length === 0) return null;
  return (
    <Card className="overflow-hidden">
      <div className="flex items-center justify-between gap-4 px-4 pt-3 pb-2 lg:px-5">
        <h2 className="font-semibold leading-5 tracking-tight">{t("apps.title")}</h2>
        {total > apps.length && (
          <LinkButton href={PAGES.adminApps} variant="ghost" size="sm">
            {t("apps.all", { count: total })}
          </LinkButton>
        )}
      </div>
      <ul className="divide-y divide-border border-border border-t">
        {apps.map((app) => (
          <li
            key={app.id}
            className="relative flex items-center gap-3 px-4 py-2.5 transition-colors hover:bg-muted/50 has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-[-2px] lg:px-5"
          >
            <Avatar shape="square" name={app.name} src={app.iconUrl} className="size-9" />
            <div className="flex min-w-0 flex-1 flex-col gap-0.5">
              <HoverLink
                href={appPath(app.id, true)}
                title={app.name}
                className="truncate font-medium outline-none after:absolute after:inset-0"
              >
                {app.name}
              </HoverLink>
              <Environments environments={app.environments} />
            </div>
            <Installs installs={app.installs} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Environments({ environments }: Pick<DashboardApp, "environments">) {
  const t = useTranslations("dashboard.apps");
  if (environments.length === 0)
    return <p className="text-muted-foreground text-xs leading-4.5">{t("noEnvironment")}</p>;
  const more = environments.length - SHOWN_ENVIRONMENTS;
  return (
    <ul className="flex min-w-0 flex-wrap gap-x-3 text-muted-foreground text-xs leading-5">
      {environments.slice(0, SHOWN_ENVIRONMENTS).map(({ id, name, latest }) => (
        <li key={id} className="flex min-w-0 max-w-full items-baseline gap-1.5">
          <span title={name} className="min-w-0 max-w-32 truncate">
            {name}
          </span>
          {latest ? (
            <HoverLink
              href={releasePath(latest.id)}
              className="relative z-1 inline-flex min-h-6 max-w-44 shrink-0 items-center font-mono text-foreground hover:underline"
            >
              <span className="truncate">{releaseName(latest)}</span>
            </HoverLink>
          ) : (
            <span className="inline-flex min-h-6 items-center whitespace-nowrap">{t("noRelease")}</span>
          )}
        </li>
      ))}
      {more > 0 && <li className="inline-flex min-h-6 items-center">{t("moreEnvironments", { count: more })}</li>}
    </ul>
  );
}

function Installs({ installs }: Pick<DashboardApp, "installs">) {
  const t = useTranslations("dashboard.apps");
  const count = installs.reduce((sum, value) => sum + value, 0);
  return (
    <span className="flex shrink-0 items-center gap-3 text-right text-muted-foreground text-xs">
      <span className="max-w-20 text-pretty tabular-nums leading-4 lg:max-w-none">
        {t("installs", { count, days: installs.length })}
      </span>
      <span className="max-lg:hidden">
        <SmallBars values={installs} />
      </span>
    </span>
  );
}
