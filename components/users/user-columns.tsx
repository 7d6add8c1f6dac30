import { useTranslations } from "next-intl";
import type { DataTableColumn } from "@/components/common/data-table/data-table";
import { useStatusColumn } from "@/components/common/data-table/status";
import { HoverLink } from "@/components/common/hover-link";
import { Nothing } from "@/components/common/nothing";
import { roleLabel } from "@/components/common/permissions/role-label";
import { RelativeTime } from "@/components/common/relative-time";
import { Badge } from "@/components/ui/badge";
import type { AdministeredUser } from "@/lib/features/users/schema";
import { PAGES, pagePath } from "@/lib/kernel/navigation/pages";
import { Person } from "./person";
import { ResendButton } from "./resend-on-demand";

/** Who the users are. @param ownId the ID of the signed-in user, who is marked; left out, nobody is */
export function useNameColumn(ownId?: string): DataTableColumn<AdministeredUser> {
  return {
    key: "name",
    header: useTranslations("profile")("name"),
    sort: "firstNames",
    className: "lg:max-w-64 2xl:max-w-80",
    cell: (user) => <Person user={user} isSelf={user.id === ownId} />,
  };
}

/** The role of users, which leads to its page. @param className how wide it may be */
export function useRoleColumn(className: string): DataTableColumn<AdministeredUser> {
  const t = useTranslations("roles");
  return {
    key: "role",
    header: useTranslations("profile")("role"),
    sort: "role",
    className,
    cell: ({ role }) => (
      <HoverLink
        href={pagePath(PAGES.adminRoles, { role: role.id })}
        title={roleLabel(role.name, t)}
        className="inline-flex min-h-6 max-w-full items-center hover:underline hover:underline-offset-4"
      >
        <span className="break-words lg:truncate">{roleLabel(role.name, t)}</span>
      </HoverLink>
    ),
  };
}

/** How users sign in. */
export function useProviderColumn(): DataTableColumn<AdministeredUser> {
  const t = useTranslations("users");
  return {
    key: "provider",
    header: t("provider"),
    sort: "provider",
    className: "whitespace-nowrap",
    cell: ({ provider }) => t(`providers.${provider}`),
  };
}

/** Whether users are active; for invited ones, that they are invited. */
export function useUserStatusColumn(): DataTableColumn<AdministeredUser> {
  const t = useTranslations("users");
  const column = useStatusColumn("masculine");
  return {
    ...column,
    phone: ({ status, invited }) => invited || status !== "active",
    cell: (user) =>
      user.invited && user.status === "active" ? (
        <span className="flex items-center gap-1">
          <Badge tone="info" title={t("invitedHint")}>
            {t("invited")}
          </Badge>
          <span className="max-lg:hidden">
            <ResendButton user={user} />
          </span>
        </span>
      ) : (
        column.cell(user)
      ),
  };
}

/** When users signed in last. */
export function useLastSignInColumn(): DataTableColumn<AdministeredUser> {
  const t = useTranslations("users");
  return {
    key: "lastSignIn",
    header: t("lastSignIn"),
    sort: "lastSignInAt",
    className: "whitespace-nowrap text-muted-foreground",
    cell: ({ lastSignInAt, invited }) => {
      if (lastSignInAt) return <RelativeTime date={lastSignInAt} />;
      return invited ? <Nothing label={t("neverSignedIn")} /> : t("neverSignedIn");
    },
  };
}
