import { PackageOpen, Settings2 } from "lucide-react";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { appOfPage } from "@/app/_components/app-page";
import { newestReleases } from "@/app/_components/newest-releases";
import { LinkButton } from "@/components/common/link-button";
import { contextPath } from "@/components/common/navigation/paths";
import { PageHeader } from "@/components/common/page-header";
import { StatusBadge } from "@/components/common/status-badge";
import { EnvironmentCards } from "@/components/environments/environment-cards";
import { Avatar } from "@/components/ui/avatar";
import { call } from "@/lib/api/call";
import { getAppEnvironments } from "@/lib/features/environments/operations/get-app-environments";
import { environmentsOfAppInput } from "@/lib/features/environments/schema";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";

const PARENT = "/home";
/** A list with more environments than this has a search field. */
const MAX_WITHOUT_SEARCH = 9;

export async function generateMetadata({ searchParams }: QueryPageProps): Promise<Metadata> {
  const { name } = await appOfPage(await searchParams, PARENT);
  return { title: name };
}

export default async function AppEnvironmentsPage({ searchParams }: QueryPageProps) {
  const query = await searchParams;
  const app = await appOfPage(query, PARENT);
  const input = listQuery(environmentsOfAppInput, query, { appId: app.id });
  const [t, nav, environments] = await Promise.all([
    getTranslations("environments"),
    getTranslations("nav.pages"),
    call(getAppEnvironments, input),
  ]);
  const newest = await newestReleases(app.id, environments.items);
  const holds = (scope: "environment:write" | "release:read") =>
    environments.items.some(({ scopes }) => scopes.includes(scope));
  return (
    <>
      <PageHeader
        title={app.name}
        description={app.description ?? t("choose")}
        media={<Avatar shape="square" name={app.name} src={app.logoUrl} className="size-12 self-start text-lg" />}
        badge={app.status === "inactive" && <StatusBadge status={app.status} gender="feminine" />}
        breadcrumbs={[{ label: nav("home"), href: PARENT }]}
        secondary={
          holds("environment:write") && (
            <LinkButton
              href={contextPath("/manage-app-environments", app.id)}
              variant="secondary"
              className="max-lg:size-10 max-lg:px-0"
            >
              <Settings2 aria-hidden />
              <span className="max-lg:sr-only">{t("manageTitle")}</span>
            </LinkButton>
          )
        }
        action={
          holds("release:read") && (
            <LinkButton href={contextPath("/releases", app.id)}>
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
}
