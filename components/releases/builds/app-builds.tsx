import type { DeviceFacts } from "@slipway/installers";
import { ArrowRight } from "lucide-react";
import { useNow, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Bytes } from "@/components/common/bytes";
import { Disclosure } from "@/components/common/disclosure";
import { HoverLink } from "@/components/common/hover-link";
import { RelativeTime } from "@/components/common/relative-time";
import { ProfileBadge } from "@/components/common/releases/profile-badge";
import { releaseName } from "@/components/common/releases/release-name";
import { Avatar } from "@/components/ui/avatar";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import { hasDeviceFile, reasonKey } from "@/lib/features/releases/rules";
import type { InstallableApp, Release } from "@/lib/features/releases/schema";
import { contextPath, PAGES, releasePath } from "@/lib/kernel/navigation/pages";
import { InstallButton } from "../installing/install-on-demand";
import { DOTTED, Expiry, Requirement } from "../release-requirements";
import { releaseSummary } from "../release-summary";
import { arrangeBuilds, systemOfRelease } from "./arrange-builds";
import type { System } from "./system";

/** What decides how builds are shown. */
export type BuildsView = {
  /** The device as detected by the server. */
  device: DeviceFacts;
  /** The operating system whose builds are shown; null for all. */
  system: System | null;
  /** Until when the user has seen what was published; milliseconds since the epoch. Null if that is not known. */
  seen: number | null;
};

export type AppBuildsProps = BuildsView & {
  item: InstallableApp;
  /** Whether the page is about this application: it has the name and the list of all builds. */
  titled?: boolean;
  /** Whether the older builds are unfolded. */
  unfolded?: boolean;
};

/** One application for a tester: the latest build for this device to install, the others folded. */
export function AppBuilds({ item, titled = false, unfolded = false, ...view }: AppBuildsProps) {
  const t = useTranslations("builds");
  const refused = useTranslations("install.reasons");
  const now = useNow();
  const { app, releases } = item;
  const mayDownload = ({ environment }: Release) => item.downloadable.includes(environment.id);
  const { latest, newer, older, others } = arrangeBuilds(releases, view.device, {
    system: view.system,
    mayDownload,
    now,
  });
  const row = (release: Release) => (
    <BuildRow key={release.id} release={release} mayDownload={mayDownload(release)} {...view} />
  );
  const bySystem = Map.groupBy(others, systemOfRelease);
  return (
    <section aria-label={app.name} className="flex min-w-0 flex-col rounded-lg border border-border bg-card p-4 lg:p-5">
      <LatestBuild
        item={item}
        release={latest}
        heading={titled ? null : <AppName app={app} />}
        mayDownload={latest !== null && mayDownload(latest)}
        {...view}
      />
      {newer && (
        <p className="mt-3 text-pretty text-muted-foreground leading-5">
          {t.rich("newer", {
            reason: refused(`${reasonKey(newer.reason)}.title`),
            release: () => (
              <HoverLink
                href={releasePath(newer.release.id)}
                className="font-mono text-link underline-offset-4 hover:underline"
              >
                {releaseName(newer.release)}
              </HoverLink>
            ),
          })}
        </p>
      )}
      {!titled && (
        <div className="mt-2 flex flex-col empty:hidden">
          {older.length > 0 && (
            <Disclosure summary={t("older")} defaultOpen={unfolded}>
              <ul className="divide-y divide-border">{older.map(row)}</ul>
            </Disclosure>
          )}
          {[...bySystem].map(([system, list]) => (
            <Disclosure key={system} summary={t(`others.${system}`)}>
              <ul className="divide-y divide-border">{list.map(row)}</ul>
            </Disclosure>
          ))}
        </div>
      )}
      {!titled && releases.length > 0 && (
        <HoverLink
          href={contextPath(PAGES.releases, app.id)}
          className="mt-1 inline-flex min-h-11 w-fit items-center gap-1 rounded-sm font-medium text-link underline-offset-4 hover:underline lg:min-h-7"
        >
          {t("all")}
          <span className="sr-only"> {app.name}</span>
          <ArrowRight aria-hidden className="size-4 rtl:-scale-x-100" />
        </HoverLink>
      )}
    </section>
  );
}

function AppName({ app }: Pick<InstallableApp, "app">) {
  return (
    <h2 className="min-w-0 break-words font-semibold text-base leading-6 tracking-tight">
      <HoverLink
        href={contextPath(PAGES.appEnvironments, app.id)}
        className="rounded-sm underline-offset-4 hover:underline"
      >
        {app.name}
      </HoverLink>
    </h2>
  );
}

type BuildProps<R> = BuildsView & { release: R; mayDownload: boolean };

function LatestBuild({
  item: { app, releases },
  release,
  heading,
  mayDownload,
  device,
  system,
  seen,
}: BuildProps<Release | null> & { item: InstallableApp; heading: ReactNode }) {
  const t = useTranslations("builds");
  const icon = (
    <Avatar shape="square" name={app.name} src={release?.iconUrl ?? app.iconUrl} className="size-14 text-lg" />
  );
  if (!release) {
    const onlyBundles = releases.length > 0 && !releases.some(hasDeviceFile);
    const missing = system && releases.length > 0 ? t(`noneFor.${system}`) : t("none");
    return (
      <div className="flex items-center gap-4">
        {icon}
        <div className="flex min-w-0 flex-col gap-1">
          {heading}
          <p className="text-muted-foreground">{onlyBundles ? t("onlyBundles") : missing}</p>
        </div>
      </div>
    );
  }
  return (
    <div className="flex min-w-0 items-start gap-4 max-lg:flex-wrap">
      {icon}
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        {heading}
        <BuildLine release={release} seen={seen} />
        {release.descriptionSummary && (
          <HoverLink
            href={releasePath(release.id)}
            dir="auto"
            className="line-clamp-2 break-words rounded-sm leading-5 underline-offset-4 hover:underline"
          >
            {release.descriptionSummary}
          </HoverLink>
        )}
        <p className={cn(DOTTED, "text-muted-foreground text-xs leading-4.5")}>
          <Requirement release={release} />
          <Expiry release={release} />
        </p>
        <ProfileBadge release={release} />
      </div>
      <InstallButton
        release={releaseSummary(release)}
        mayDownload={mayDownload}
        rendered={device}
        sharedOnDesktop
        variant="primary"
        className="max-lg:w-full lg:min-w-56"
        size="touch"
      />
    </div>
  );
}

/** A build in a folded list. */
function BuildRow({ release, mayDownload, device, seen }: BuildProps<Release>) {
  return (
    <li className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2 py-2.5">
      <div className="flex min-w-0 flex-1 basis-56 flex-col gap-0.5">
        <BuildLine release={release} seen={seen} />
        <span dir="auto" className="line-clamp-1 break-words text-muted-foreground">
          {release.descriptionSummary}
        </span>
      </div>
      <InstallButton
        release={releaseSummary(release)}
        mayDownload={mayDownload}
        rendered={device}
        sharedOnDesktop
        variant="secondary"
      />
    </li>
  );
}

/** The name of a build, its environment, size and age. */
function BuildLine({ release, seen }: { release: Release; seen: number | null }) {
  const t = useTranslations("builds");
  const { environment, size, deployDate } = release;
  const isNew = seen !== null && Date.parse(deployDate) > seen;
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-muted-foreground">
      <span className={cn(DOTTED, "min-w-0")}>
        <span>
          <HoverLink
            href={releasePath(release.id)}
            className="break-all rounded-sm font-medium font-mono text-foreground underline-offset-4 hover:underline"
          >
            {releaseName(release)}
          </HoverLink>
        </span>
        <span className="min-w-0 break-words">{environment.name}</span>
        <Bytes value={size} />
        <RelativeTime date={deployDate} />
      </span>
      {isNew && (
        <Badge tone="accent">
          <span aria-hidden className="size-1.5 rounded-full bg-link" />
          {t("new")}
        </Badge>
      )}
    </p>
  );
}
