import { getTranslations } from "next-intl/server";
import { InviteButton } from "@/components/common/invite/invite-button";
import { EnvironmentUsers } from "@/components/users/environment-users";
import { call, requireAdmin } from "@/lib/api/call";
import { getEnvironmentUsers } from "@/lib/features/users/operations/get-environment-users";
import { getEnvironmentUsersInput } from "@/lib/features/users/schema";
import { listQuery } from "@/lib/kernel/navigation/list-query";
import type { SearchParams } from "@/lib/kernel/navigation/search-params";
import { EnvironmentPage, type LoadedEnvironment } from "./environment-page";

/** Who can see an environment, and why; for administrators. */
export async function EnvironmentAccess({ query, ...loaded }: LoadedEnvironment & { query: SearchParams }) {
  const { userId } = await requireAdmin();
  const { app, environment } = loaded;
  const [t, users] = await Promise.all([
    getTranslations("environments.access"),
    call(getEnvironmentUsers, listQuery(getEnvironmentUsersInput, query, { environmentId: environment.id })),
  ]);
  const invited = { id: app.id, name: app.name };
  return (
    <EnvironmentPage {...loaded} tab="access" action={<InviteButton app={invited} />}>
      <section aria-label={t("title")} className="flex min-w-0 flex-col gap-3">
        <p className="max-w-2xl text-pretty text-muted-foreground leading-5">{t("description")}</p>
        <EnvironmentUsers {...users} app={invited} ownId={userId} />
      </section>
    </EnvironmentPage>
  );
}
