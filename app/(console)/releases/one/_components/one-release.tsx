import { deviceFromHeaders } from "@slipway/installers";
import { headers } from "next/headers";
import { getTranslations } from "next-intl/server";
import { FunnelCard } from "@/components/common/activity/funnel-card";
import { environmentCrumbs } from "@/components/common/navigation/environment-crumbs";
import { releaseName } from "@/components/common/releases/release-name";
import { PagePlace } from "@/components/common/shell/page-place";
import { RegisterDeviceButton } from "@/components/devices/register-button";
import { ReleaseDevicesCard } from "@/components/devices/release-devices-card-on-demand";
import { FeedbackCard } from "@/components/feedback/feedback-card";
import { ReleaseFilesCard } from "@/components/release-files/release-files-card-on-demand";
import { shownFiles } from "@/components/release-files/shown-files";
import { ReleasePage } from "@/components/releases/release-page";
import { call, type requireUser } from "@/lib/api/call";
import { MAX_LIMIT } from "@/lib/api/list";
import { getConfigurationDiff } from "@/lib/features/configuration/operations/get-configuration-diff";
import { getReleaseDevices } from "@/lib/features/devices/operations/get-release-devices";
import { getFeedback } from "@/lib/features/feedback/operations/get-feedback";
import { getInstallCheck } from "@/lib/features/installs/operations/get-install-check";
import { getInstallFunnel } from "@/lib/features/installs/operations/get-install-funnel";
import { getReleaseFiles } from "@/lib/features/release-files/operations/get-release-files";
import { getBuild } from "@/lib/features/releases/operations/get-build";
import { getTestingDeployById } from "@/lib/features/releases/operations/get-testing-deploy-by-id";
import { fileForDevice } from "@/lib/features/releases/rules";
import { getInstallMatrix } from "@/lib/features/verdicts/operations/get-install-matrix";
import { contextPath, PAGES } from "@/lib/kernel/navigation/pages";
import { holdsSomewhere } from "@/lib/permissions/authorize";
import { RecordPage } from "../../../../_components/record-page";

export type OneReleaseProps = {
  /** Of any file of the build. */
  id: string;
  /** Whether the page is of that file, and not of the one for this device. */
  isThisFile: boolean;
  actor: Awaited<ReturnType<typeof requireUser>>;
};

/** How much feedback the page of a release shows. */
const SHOWN_FEEDBACK = 3;
/** How many of the user's own devices it names. */
const NAMED_DEVICES = 10;

/** The page of a build: of its file for this device, with alternatives if it cannot be installed. */
export async function OneRelease({ id, isThisFile, actor }: OneReleaseProps) {
  const { isAdmin } = actor;
  const [t, nav, linked, build, headerStore] = await Promise.all([
    getTranslations("releases"),
    getTranslations("nav.pages"),
    call(getTestingDeployById, { id }),
    call(getBuild, { id }),
    headers(),
  ]);
  const device = deviceFromHeaders(headerStore);
  const served = isThisFile
    ? linked
    : fileForDevice<Pick<typeof linked, "id" | "installer" | "universal">>(linked, build.releases, device);
  const release = served.id === id ? linked : await call(getTestingDeployById, { id: served.id });
  const { app, environment, configurationVersion, scopes } = release;
  const isAppleFile = release.installer.kind === "ipa";
  const isAppleDevice = device.os === "ios" || device.os === "ipados";
  const isPublisher = scopes.includes("release:create");
  const [matrix, difference, feedback, installCheck, coverage, own, files, funnel] = await Promise.all([
    // For those who publish: what a build is worth on the devices that are there.
    isPublisher ? call(getInstallMatrix, { id: release.id }) : null,
    configurationVersion !== null && scopes.includes("environment:read")
      ? call(getConfigurationDiff, { environmentId: environment.id, from: configurationVersion, to: "current" })
      : null,
    call(getFeedback, { releaseId: release.id, limit: SHOWN_FEEDBACK }),
    scopes.includes("release:update") ? call(getInstallCheck, { id: release.id }) : undefined,
    isPublisher && isAppleFile ? call(getReleaseDevices, { id: release.id, limit: 1 }) : null,
    isAppleFile && isAppleDevice
      ? call(getReleaseDevices, { id: release.id, own: "true", limit: NAMED_DEVICES })
      : null,
    call(getReleaseFiles, { releaseId: release.id, limit: MAX_LIMIT }),
    isPublisher ? call(getInstallFunnel, { releaseId: release.id }) : null,
  ]);
  const listHref = contextPath(isAdmin ? PAGES.adminReleases : PAGES.releases, app.id, environment.id);
  return (
    <RecordPage of={release.id}>
      <PagePlace
        appId={app.id}
        environmentId={release.environment.id}
        path={isAdmin ? PAGES.adminReleases : PAGES.releases}
      />
      <ReleasePage
        release={release}
        linkedId={id}
        build={build}
        mayPromote={holdsSomewhere(actor, "release:create")}
        listHref={listHref}
        installCheck={installCheck?.check}
        changedKeys={difference?.items.length ?? null}
        breadcrumbs={[
          ...environmentCrumbs(release, isAdmin, { apps: nav("apps"), home: nav("home") }),
          // The page of an environment is the list of its releases.
          ...(isAdmin ? [] : [{ label: t("title"), href: listHref }]),
        ]}
        device={device}
        ownDevices={own?.profile === "listed" ? own.items.map(({ name, covered }) => ({ name, covered })) : null}
        registerDevice={isAppleDevice && <RegisterDeviceButton variant="secondary" />}
        devices={
          matrix && (
            <ReleaseDevicesCard
              release={{ id: release.id, name: releaseName(release), environmentId: environment.id }}
              matrix={matrix}
              coverage={coverage?.profile === "listed" ? coverage : null}
              isAdmin={isAdmin}
            />
          )
        }
        funnel={
          funnel && (
            <FunnelCard
              funnel={funnel}
              place={{ releaseId: release.id }}
              peopleOf={scopes.includes("release:update") ? releaseName(release) : null}
            />
          )
        }
        files={
          (isPublisher || files.total > 0) && (
            <ReleaseFilesCard
              release={{ id: release.id, name: releaseName(release), kind: release.installer.kind }}
              files={shownFiles(files)}
              rights={{ create: isPublisher, delete: scopes.includes("release:delete") }}
            />
          )
        }
        feedback={
          <FeedbackCard
            release={{ id: release.id, name: `${release.displayName} ${releaseName(release)}`, appId: app.id }}
            feedback={feedback}
          />
        }
      />
    </RecordPage>
  );
}
