import { PackageOpen } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { LinkButton } from "@/components/common/link-button";
import { PageHeader } from "@/components/common/page-header";
import { StatusBadge } from "@/components/common/status-badge";
import { CreateEnvironmentButton, ReorderEnvironmentsButton } from "@/components/environments/environment-actions";
import { EnvironmentCards } from "@/components/environments/environment-cards";
import { FeedbackLink } from "@/components/feedback/feedback-link";
import { CreateRelease } from "@/components/releases/publishing/create-release";
import { BinLink } from "@/components/retention/bin-link";
import { Avatar } from "@/components/ui/avatar";
import { call } from "@/lib/api/call";
import { getApp } from "@/lib/features/apps/operations/get-app";
import { getAppEnvironments } from "@/lib/features/environments/operations/get-app-environments";
import { environmentsOfAppInput } from "@/lib/features/environments/schema";
import { getLatestTestingDeploys } from "@/lib/features/releases/operations/get-latest-testing-deploys";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import { contextPath, PAGES } from "@/lib/kernel/navigation/pages";
import type { SearchParams } from "@/lib/kernel/navigation/search-params";
import { MAX_WITHOUT_SEARCH } from "../../../_components/choose-environment";
import { RecordPage } from "../../../_components/record-page";

/** Fills the rows of two and of three cards. */
const CARDS_PER_PAGE = 24;

/** The environments of an application to choose from, which those who may do so also add, change and put in order. */
export async function EnvironmentsOfApp({ appId, query }: { appId: string; query: SearchParams }) {
  const app = await call(getApp, { id: appId });
  const input = listQuery(environmentsOfAppInput, query, { appId: app.id, limit: CARDS_PER_PAGE });
  const [t, nav, environments] = await Promise.all([
    getTranslations("environments"),
    getTranslations("nav.pages"),
    call(getAppEnvironments, input),
  ]);
  const environmentIds = environments.items.map(({ id }) => id);
  const { items: newest } = await call(getLatestTestingDeploys, { appId: app.id, environmentIds });
  const holds = (scope: "release:read" | "release:create" | "release:delete") =>
    environments.items.some(({ scopes }) => scopes.includes(scope));
  const canReorder = environments.items.filter(({ scopes }) => scopes.includes("environment:write")).length > 1;
  const page = (
    <>
      <PageHeader
        title={app.name}
        description={app.description ?? t("choose")}
        media={<Avatar shape="square" name={app.name} src={app.iconUrl} className="size-12 self-start text-lg" />}
        badge={app.status === "inactive" && <StatusBadge status={app.status} gender="feminine" />}
        breadcrumbs={[{ label: nav("home"), href: PAGES.home }]}
        secondary={
          <>
            {holds("release:read") && <FeedbackLink appId={app.id} />}
            {holds("release:delete") && <BinLink appId={app.id} />}
            {canReorder && <ReorderEnvironmentsButton appId={app.id} />}
            {app.scopes.includes("environment:write") && environments.total > 0 && (
              <CreateEnvironmentButton appId={app.id} variant="secondary" />
            )}
          </>
        }
        action={
          holds("release:read") && (
            <LinkButton href={contextPath(PAGES.releases, app.id)}>
              <PackageOpen aria-hidden />
              {t("allReleases")}
            </LinkButton>
          )
        }
      />
      <EnvironmentCards
        app={app}
        {...environments}
        newest={newest}
        searchable={environments.total > MAX_WITHOUT_SEARCH || input.search !== undefined}
      />
    </>
  );
  return (
    <RecordPage of={app.id}>
      {holds("release:create") ? <CreateRelease place={null}>{page}</CreateRelease> : page}
    </RecordPage>
  );
}
