import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { isFiltered } from "@/components/common/data-table/is-filtered";
import { appCrumbs } from "@/components/common/navigation/environment-crumbs";
import { PageHeader } from "@/components/common/page-header";
import { PagePlace } from "@/components/common/shell/page-place";
import { CreateGroupButton } from "@/components/testers/create-group-button";
import { GroupsTable } from "@/components/testers/groups-table";
import { AddMembersButton, EditGroupButton, ImportMembersButton } from "@/components/testers/member-buttons";
import { MembersTable } from "@/components/testers/members-table";
import { Avatar } from "@/components/ui/avatar";
import { call, requireParameter, requireUser } from "@/lib/api/call";
import { getApp } from "@/lib/features/apps/operations/get-app";
import { getAuthorizedEnvironmentsByApp } from "@/lib/features/environments/operations/get-authorized-environments-by-app";
import { getTesterGroup } from "@/lib/features/testers/operations/get-tester-group";
import { getTesterGroupMembers } from "@/lib/features/testers/operations/get-tester-group-members";
import { getTesterGroups } from "@/lib/features/testers/operations/get-tester-groups";
import { getTesterGroupMembersInput, getTesterGroupsInput } from "@/lib/features/testers/schema";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import { PAGES, testersPath } from "@/lib/kernel/navigation/pages";
import type { QueryPageProps } from "@/lib/kernel/navigation/search-params";
import { RecordPage } from "../../_components/record-page";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("testers");
  return { title: t("title") };
}

/** The groups of testers of an application, or the members of one of them. */
export default async function TestersPage({ searchParams }: QueryPageProps) {
  const { isAdmin } = await requireUser();
  const query = await searchParams;
  const appId = requireParameter(query, "app", PAGES.home);
  const [t, nav, app] = await Promise.all([
    getTranslations("testers"),
    getTranslations("nav.pages"),
    call(getApp, { id: appId }),
  ]);
  const crumbs = appCrumbs(app, isAdmin, { apps: nav("apps"), home: nav("home") });
  const place = <PagePlace appId={appId} path={isAdmin ? PAGES.adminApp : PAGES.appEnvironments} />;
  const media = <Avatar shape="square" name={app.name} src={app.iconUrl} className="size-10 self-start" />;
  if (query.group !== undefined) {
    const group = await call(getTesterGroup, { id: requireParameter(query, "group", PAGES.home) });
    const [members, { items: environments }] = await Promise.all([
      call(getTesterGroupMembers, listQuery(getTesterGroupMembersInput, query, { groupId: group.id })),
      call(getAuthorizedEnvironmentsByApp, { appId }),
    ]);
    return (
      <RecordPage of={group.id}>
        {place}
        <PageHeader
          breadcrumbs={[...crumbs, { label: t("title"), href: testersPath(appId) }]}
          media={media}
          title={group.name}
          secondary={
            <>
              <EditGroupButton group={group} environments={environments} />
              <ImportMembersButton group={group} />
            </>
          }
          action={<AddMembersButton group={group} isAdmin={isAdmin} />}
        />
        <MembersTable {...members} group={group} isAdmin={isAdmin} />
      </RecordPage>
    );
  }
  const [groups, environments] = await Promise.all([
    call(getTesterGroups, listQuery(getTesterGroupsInput, query, { appId })),
    call(getAuthorizedEnvironmentsByApp, { appId }),
  ]);
  return (
    <RecordPage of={appId}>
      {place}
      <PageHeader
        breadcrumbs={crumbs}
        media={media}
        title={t("title")}
        description={t("description")}
        action={
          (groups.total > 0 || isFiltered(query)) && (
            <CreateGroupButton appId={appId} environments={environments.items} />
          )
        }
      />
      <GroupsTable {...groups} appId={appId} environments={environments.items} />
    </RecordPage>
  );
}
