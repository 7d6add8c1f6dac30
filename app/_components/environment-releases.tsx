import { getTimeZone, getTranslations } from "next-intl/server";
import { FunnelCard } from "@/components/common/activity/funnel-card";
import { ExportButton } from "@/components/common/data-table/export-button";
import { withInstants } from "@/components/common/data-table/with-instants";
import { isFiltered } from "@/components/releases/list-query";
import { CreateRelease, CreateReleaseButton } from "@/components/releases/publishing/create-release";
import { publishingPlace } from "@/components/releases/publishing/publishing-place";
import { UnfinishedUploadsNotice } from "@/components/releases/publishing/unfinished-uploads-notice";
import { releaseRights } from "@/components/releases/release-summary";
import { ReleasesTable } from "@/components/releases/releases-table";
import { call, requireUser } from "@/lib/api/call";
import { MAX_LIMIT } from "@/lib/api/list";
import { getInstallFunnel } from "@/lib/features/installs/operations/get-install-funnel";
import { getPlatforms } from "@/lib/features/platforms/operations/get-platforms";
import { getBuilds } from "@/lib/features/releases/operations/get-builds";
import { getLatestTestingDeploys } from "@/lib/features/releases/operations/get-latest-testing-deploys";
import { getBuildsInput, getTestingDeploysInput } from "@/lib/features/releases/schema";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import type { SearchParams } from "@/lib/kernel/navigation/search-params";
import { holdsSomewhere } from "@/lib/permissions/authorize";
import { EnvironmentPage, type LoadedEnvironment } from "./environment-page";

export type EnvironmentReleasesProps = LoadedEnvironment & { query: SearchParams };

/** The releases of an environment for the users who manage them, with the actions that their scopes allow. */
export async function EnvironmentReleases({ query, ...loaded }: EnvironmentReleasesProps) {
  const { app, environment } = loaded;
  const environmentId = environment.id;
  const wanted = withInstants(query, await getTimeZone());
  const input = listQuery(getTestingDeploysInput, wanted, { environmentId });
  const [actor, t, platforms, releases, latest, funnel] = await Promise.all([
    requireUser(),
    getTranslations("releases"),
    call(getPlatforms, { limit: MAX_LIMIT }),
    call(getBuilds, listQuery(getBuildsInput, wanted, { environmentId })),
    call(getLatestTestingDeploys, { appId: app.id, environmentIds: [environmentId] }),
    call(getInstallFunnel, { environmentId }),
  ]);
  const active = environment.status === "active" && app.status === "active";
  const canPublish = releaseRights(environment.scopes).create && active;
  const filtered = isFiltered(query);
  const page = (
    <EnvironmentPage
      {...loaded}
      tab="releases"
      action={canPublish && (releases.total > 0 || filtered) && <CreateReleaseButton />}
    >
      {canPublish && <UnfinishedUploadsNotice place={environmentId} />}
      <ReleasesTable
        {...releases}
        place={{ appId: app.id, environmentId }}
        platforms={platforms.items}
        latestIds={latest.items.map(({ id }) => id)}
        mayPromote={holdsSomewhere(actor, "release:create")}
        action="share"
        toolbarEnd={
          <ExportButton
            path="apps/get-testing-deploys"
            input={input}
            total={releases.total}
            description={t("exportFiles")}
          />
        }
        empty={
          canPublish
            ? {
                description: t("empty.publish"),
                action: <CreateReleaseButton label={t("empty.action")} />,
              }
            : undefined
        }
      />
      {releases.total > 0 && (
        <FunnelCard
          funnel={funnel}
          place={{ environmentId }}
          peopleOf={environment.scopes.includes("release:update") ? `${app.name} / ${environment.name}` : null}
        />
      )}
    </EnvironmentPage>
  );
  if (!canPublish) return page;
  return <CreateRelease place={publishingPlace(app, environment, platforms.items)}>{page}</CreateRelease>;
}
