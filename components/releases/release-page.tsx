import { useTranslations } from "next-intl";
import { EnvironmentBadge } from "@/components/common/environment-badge";
import { type Crumb, PageHeader } from "@/components/common/page-header";
import { ProfileBadge } from "@/components/common/profile-badge";
import { releaseName } from "@/components/common/release-name";
import { ReleaseNotes } from "@/components/common/release-notes";
import { Avatar } from "@/components/ui/avatar";
import { Badge } from "@/components/ui/badge";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import type { OperationOutput } from "@/lib/client/operation-types";
import { PAGES, pagePath, releasePath } from "@/lib/kernel/navigation/pages";
import { ChangesCard } from "./changes-card";
import { InstallCard, type InstallCardProps } from "./install-card";
import { InstallerFacts } from "./installer-facts";
import { MetadataCard, ReleaseDetails } from "./release-details";
import { ReleaseMenu } from "./release-menu";
import { releaseRights, releaseSummary } from "./release-summary";
import { ShareButton } from "./share-button";

export type ReleasePageProps = Pick<InstallCardProps, "device"> & {
  release: OperationOutput<"apps/get-testing-deploy-by-id">;
  /** The releases of the app in this environment. */
  listHref: string;
  breadcrumbs: Crumb[];
  /** How many keys of the configuration changed since the release's; null if the user cannot see the configuration. */
  changedKeys: number | null;
};

/**
 * The page of a release: how to install it, what changed, the details of its installer. On phones, the page to install
 * it from.
 */
export function ReleasePage({ release, listHref, breadcrumbs, changedKeys, device }: ReleasePageProps) {
  const t = useTranslations("releases");
  const summary = releaseSummary(release);
  const rights = releaseRights(release.scopes);
  const { displayName, iconUrl, app, environment, platform, changes, metadata } = release;
  const { apkId, otherPlatformId } = release.alternatives;
  const place = { app: app.id, environment: environment.id };
  return (
    <>
      <PageHeader
        breadcrumbs={breadcrumbs}
        media={<Avatar shape="square" name={displayName} src={iconUrl} className="size-14 text-lg" />}
        title={
          <>
            {displayName}{" "}
            <span className="font-mono font-normal text-muted-foreground tracking-normal">{releaseName(release)}</span>
          </>
        }
        description={
          <span className="flex flex-wrap items-center gap-1.5">
            <EnvironmentBadge name={environment.name} />
            <Badge tone="outline">{platform.name}</Badge>
            <ProfileBadge release={release} />
          </span>
        }
        secondary={
          <>
            <ShareButton release={summary} className="max-lg:hidden" />
            <ReleaseMenu release={summary} rights={rights} listHref={listHref} />
          </>
        }
      />
      <div className="grid items-start gap-4 lg:grid-rows-[auto_1fr] lg:grid-cols-[minmax(0,1fr)_20rem] xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="lg:col-start-2 lg:row-start-1">
          <InstallCard
            release={summary}
            rights={rights}
            listHref={listHref}
            device={device}
            apkHref={apkId && releasePath(apkId)}
            otherSystemHref={otherPlatformId && pagePath(PAGES.releases, { ...place, platformId: otherPlatformId })}
          />
        </div>
        <div className="flex min-w-0 flex-col gap-4 lg:row-span-2 lg:row-start-1">
          <Card>
            <CardHeader>
              <CardTitle>{t("whatChanged")}</CardTitle>
            </CardHeader>
            <CardContent className="pt-2">
              <ReleaseNotes descriptionHtml={release.descriptionHtml} />
            </CardContent>
          </Card>
          <Card>
            <CardHeader>
              <CardTitle>{t("facts.title")}</CardTitle>
            </CardHeader>
            <CardContent>
              <InstallerFacts installer={release.installer} identifier={release.identifier} minOs={release.minOs} />
            </CardContent>
          </Card>
          {changes && <ChangesCard changes={changes} />}
        </div>
        <div className="flex min-w-0 flex-col gap-4 lg:col-start-2">
          <ReleaseDetails release={release} changedKeys={changedKeys} />
          {Object.keys(metadata).length > 0 && <MetadataCard metadata={metadata} />}
        </div>
      </div>
    </>
  );
}
