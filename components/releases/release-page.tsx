import { ChevronLeft, ChevronRight } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { EnvironmentBadge } from "@/components/common/apps/environment-badge";
import { Bytes } from "@/components/common/bytes";
import { Disclosure } from "@/components/common/disclosure";
import { HoverLink } from "@/components/common/hover-link";
import { LinkButton } from "@/components/common/link-button";
import { type Crumb, PageHeader } from "@/components/common/page-header";
import { ProfileBadge } from "@/components/common/releases/profile-badge";
import { releaseName } from "@/components/common/releases/release-name";
import { ReleaseNotes } from "@/components/common/releases/release-notes";
import { Avatar } from "@/components/ui/avatar";
import { Badge } from "@/components/ui/badge";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import { filesOfBuild } from "@/lib/client/files-of-build";
import type { OperationOutput } from "@/lib/client/operation-types";
import type { InstallCheck } from "@/lib/features/installs/schema";
import { hasDeviceFile, platformKindOf } from "@/lib/features/releases/rules";
import type { BuildDetails } from "@/lib/features/releases/schema";
import { isLoopback } from "@/lib/kernel/navigation/loopback";
import { PAGES, pagePath, releaseFilePath, releasePath } from "@/lib/kernel/navigation/pages";
import { ActivityCard, MetadataCard } from "./activity-card";
import { BuildMenu } from "./build-menu-on-demand";
import { ChangesCard } from "./changes-card";
import { InstallerFacts } from "./installer-facts";
import { InAppBrowserNotice } from "./installing/in-app-browser-notice";
import type { InstallCardProps } from "./installing/install-card";
import { InstallCard } from "./installing/install-on-demand";
import { RecordOpening } from "./record-opening";
import { inOrderOfKinds, installerName } from "./release-groups";
import { InstallCheckAlert, InstallCheckCard, TellTestersButton, UniversalCard } from "./release-parts-on-demand";
import { DOTTED, Expiry, Requirement } from "./release-requirements";
import { releaseRights, releaseSummary } from "./release-summary";
import { RuleWarnings } from "./rule-warnings";
import { SameBuild } from "./same-build";
import { CopyLinkButton } from "./sharing/copy-link-button";
import { ShareButton } from "./sharing/share-button";

export type ReleasePageProps = Pick<InstallCardProps, "device" | "ownDevices" | "registerDevice"> & {
  /** The file of the build that the page shows. */
  release: OperationOutput<"apps/get-testing-deploy-by-id">;
  /** The ID of the file that the link names. */
  linkedId: string;
  build: OperationOutput<"apps/get-build">;
  /** Whether the user may publish in some environment. */
  mayPromote: boolean;
  /** The releases of the app in this environment. */
  listHref: string;
  breadcrumbs: Crumb[];
  /** What testers say about it. */
  feedback: ReactNode;
  /** On which devices it installs, for those who publish. */
  devices: ReactNode;
  /** Its symbols and further files. */
  files: ReactNode;
  /** How far its installations come; null for those who do not publish. */
  funnel: ReactNode;
  /** The last check whether phones can install it; undefined if the user does not publish there. */
  installCheck: InstallCheck | null | undefined;
  /** How many keys of the configuration changed since the release's; null if the user cannot see the configuration. */
  changedKeys: number | null;
};

/**
 * The page of a release: how to install it, what changed, the details of its installer. On phones, the page to install
 * it from.
 */
export function ReleasePage({
  release,
  linkedId,
  build,
  mayPromote,
  listHref,
  breadcrumbs,
  changedKeys,
  installCheck,
  device,
  ownDevices,
  registerDevice,
  devices,
  files: furtherFiles,
  funnel,
  feedback,
}: ReleasePageProps) {
  const t = useTranslations("releases");
  const summary = releaseSummary(release);
  const rights = releaseRights(release.scopes);
  const { displayName, iconUrl, app, environment, installer, previous, metadata } = release;
  const { apkId, otherPlatformId } = release.alternatives;
  const place = { app: app.id, environment: environment.id };
  // An earlier file of the same platform and kind is part of the page that shows it.
  const current = filesOfBuild(build.releases);
  const files = inOrderOfKinds(current.some(({ id }) => id === release.id) ? current : [release, ...current]);
  // The other files of the build are as new as the one that is shown.
  const isLatest = release.latest.id === release.id || current.some(({ id }) => id === release.latest.id);
  // A link to this computer is said where the link is.
  const isCheckAlert = installCheck?.ok === false && !isLoopback(release.installUrl);
  const counterpart = files.find(
    (file) => hasDeviceFile(file) && platformKindOf(file.installer.kind) !== platformKindOf(installer.kind),
  );
  return (
    <>
      <RecordOpening releaseId={release.id} />
      {linkedId !== release.id && <RecordOpening releaseId={linkedId} />}
      <InAppBrowserNotice rendered={device} />
      <PageHeader
        breadcrumbs={breadcrumbs}
        media={
          <Avatar
            shape="square"
            name={displayName}
            src={iconUrl}
            className="size-24 self-start text-3xl lg:size-16 lg:text-xl"
          />
        }
        title={
          <>
            {displayName} <span className="tabular-nums">{releaseName(release)}</span>
          </>
        }
        description={<Description release={release} isLatest={isLatest} />}
        secondary={
          <>
            <span className="flex max-lg:hidden">
              <Neighbour label="previous" neighbour={build.previous} of={build} />
              <Neighbour label="next" neighbour={build.next} of={build} />
            </span>
            <ShareButton release={summary} mayUpdate={rights.update} requestedAs="share" className="max-lg:hidden" />
            <CopyLinkButton installUrl={release.installUrl} className="max-lg:hidden" />
            {rights.update && <TellTestersButton release={summary} />}
            <BuildMenu
              entries={files.map((file) => ({ release: releaseSummary(file), rights }))}
              mayPromote={mayPromote}
              listHref={listHref}
            />
          </>
        }
      />
      {installCheck && isCheckAlert && <InstallCheckAlert releaseId={release.id} check={installCheck} />}
      <SameBuild releaseId={release.id} files={files} />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem] xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="lg:sticky lg:top-[calc(var(--shell-bar-height)+1.25rem)] lg:col-start-2 lg:row-start-1">
          <InstallCard
            release={summary}
            rights={rights}
            publisher={release.createdBy?.kind === "user" ? release.createdBy.name : null}
            files={files.map((file) => ({ id: file.id, label: installerName(file), kind: file.installer.kind }))}
            listHref={listHref}
            device={device}
            ownDevices={ownDevices}
            registerDevice={registerDevice}
            apkHref={apkId && releaseFilePath(apkId)}
            counterpartHref={counterpart ? releaseFilePath(counterpart.id) : null}
            otherSystemHref={otherPlatformId && pagePath(PAGES.releases, { ...place, platformId: otherPlatformId })}
          />
        </div>
        <div className="flex min-w-0 flex-col gap-4 lg:row-start-1">
          <RuleWarnings warnings={release.warnings} />
          <Card>
            <CardHeader>
              <CardTitle>{t("whatChanged")}</CardTitle>
            </CardHeader>
            <CardContent className="pt-2">
              <ReleaseNotes descriptionHtml={release.descriptionHtml} className="text-base leading-6.5" />
            </CardContent>
          </Card>
          {devices}
          {funnel}
          {installer.kind === "aab" && <UniversalCard release={release} rights={rights} />}
          {feedback}
          {previous && <ChangesCard release={release} previous={previous} />}
          {furtherFiles}
          <Disclosure summary={t("technical")} openOnDesktop>
            <div className="flex flex-col gap-4 max-lg:pt-2">
              <ActivityCard release={release} changedKeys={changedKeys} withDownloads={!funnel} />
              {installCheck !== undefined && !isCheckAlert && installer.kind !== "aab" && (
                <InstallCheckCard releaseId={release.id} check={installCheck} />
              )}
              <Card>
                <CardHeader>
                  <CardTitle>{t("facts.title")}</CardTitle>
                </CardHeader>
                <CardContent>
                  <InstallerFacts
                    installer={installer}
                    identifier={release.identifier}
                    minOs={release.minOs}
                    file={release}
                  />
                </CardContent>
              </Card>
              {Object.keys(metadata).length > 0 && <MetadataCard metadata={metadata} />}
            </div>
          </Disclosure>
        </div>
      </div>
    </>
  );
}

/** Its size, what it requires, when it ends, and where it is. */
function Description({ release, isLatest }: Pick<ReleasePageProps, "release"> & { isLatest: boolean }) {
  const t = useTranslations("releases");
  const { size, environment, platform, latest } = release;
  return (
    <span className="flex flex-col gap-2">
      <span className={DOTTED}>
        <Bytes value={size} />
        <Requirement release={release} />
        <Expiry release={release} />
      </span>
      <span className="flex flex-wrap items-center gap-1.5">
        <EnvironmentBadge name={environment.name} />
        <Badge tone="outline">{platform.name}</Badge>
        {isLatest && <Badge tone="accent">{t("table.latest")}</Badge>}
        <ProfileBadge release={release} />
        {!isLatest && (
          <HoverLink
            href={releasePath(latest.id)}
            className="inline-flex min-h-6 items-center text-link underline-offset-4 hover:underline"
          >
            {t("latestIs", { name: releaseName(latest) })}
          </HoverLink>
        )}
      </span>
    </span>
  );
}

type NeighbourProps = {
  label: "previous" | "next";
  neighbour: BuildDetails["previous"];
  of: Pick<BuildDetails, "version">;
};

/** The link to the build before or after this one: its version or, if that is the same, its build number. */
function Neighbour({ label, neighbour, of }: NeighbourProps) {
  const t = useTranslations("releases.neighbour");
  if (!neighbour) return null;
  const { id, version, buildNumber } = neighbour;
  const name = t(label, { name: releaseName(neighbour) });
  const shown = version === of.version ? `(${buildNumber})` : version;
  return (
    <LinkButton href={releasePath(id)} prefetch={false} variant="ghost" aria-label={name} title={name} className="px-2">
      {label === "previous" && <ChevronLeft aria-hidden className="rtl:-scale-x-100" />}
      <span className="max-w-24 truncate font-mono">{shown}</span>
      {label === "next" && <ChevronRight aria-hidden className="rtl:-scale-x-100" />}
    </LinkButton>
  );
}
