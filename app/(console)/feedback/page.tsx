import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { LinkButton } from "@/components/common/link-button";
import { appCrumbs } from "@/components/common/navigation/environment-crumbs";
import { PageHeader } from "@/components/common/page-header";
import { releaseName } from "@/components/common/releases/release-name";
import { PagePlace } from "@/components/common/shell/page-place";
import { FeedbackTable } from "@/components/feedback/feedback-table";
import { Avatar } from "@/components/ui/avatar";
import { Badge } from "@/components/ui/badge";
import { call, requireParameter, requireUser } from "@/lib/api/call";
import { getApp } from "@/lib/features/apps/operations/get-app";
import { getFeedback } from "@/lib/features/feedback/operations/get-feedback";
import { getFeedbackInput } from "@/lib/features/feedback/schema";
import { getTestingDeployById } from "@/lib/features/releases/operations/get-testing-deploy-by-id";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import { feedbackPath, PAGES } from "@/lib/kernel/navigation/pages";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";
import { RecordPage } from "../../_components/record-page";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("feedback");
  return { title: t("title") };
}

/** What testers say about the releases of an application, of one of its environments, or about one release. */
export default async function FeedbackPage({ searchParams }: QueryPageProps) {
  const { isAdmin } = await requireUser();
  const query = await searchParams;
  const appId = requireParameter(query, "app", PAGES.home);
  const releaseId = typeof query.release === "string" && query.release !== "" ? query.release : undefined;
  const environmentId =
    typeof query.environment === "string" && query.environment !== "" ? query.environment : undefined;
  const place = { appId, ...(environmentId && { environmentId }), ...(releaseId && { releaseId }) };
  const [t, nav, app, release, feedback] = await Promise.all([
    getTranslations("feedback"),
    getTranslations("nav.pages"),
    call(getApp, { id: appId }),
    releaseId ? call(getTestingDeployById, { id: releaseId }) : null,
    call(getFeedback, listQuery(getFeedbackInput, query, place)),
  ]);
  return (
    <RecordPage of={[appId, environmentId, releaseId]}>
      <PagePlace
        appId={appId}
        environmentId={environmentId ?? release?.environment.id}
        path={isAdmin ? PAGES.adminApp : PAGES.appEnvironments}
      />
      <PageHeader
        breadcrumbs={appCrumbs(app, isAdmin, { apps: nav("apps"), home: nav("home") })}
        media={<Avatar shape="square" name={app.name} src={app.iconUrl} className="size-10 self-start" />}
        title={release ? t("ofRelease", { name: releaseName(release) }) : t("title")}
        badge={feedback.open > 0 && <Badge tone="info">{t("openCount", { count: feedback.open })}</Badge>}
        description={t("description")}
        secondary={
          release && (
            <LinkButton href={feedbackPath(appId)} variant="secondary" prefetch={false}>
              {t("allOfApp")}
            </LinkButton>
          )
        }
      />
      <FeedbackTable {...feedback} />
    </RecordPage>
  );
}
