import { useTranslations } from "next-intl";
import { HoverLink } from "@/components/common/hover-link";
import { AccessLevel } from "@/components/common/permissions/access-level";
import { Avatar } from "@/components/ui/avatar";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import type { RolePermission } from "@/lib/features/permissions/schema";
import { appPath, contextPath, PAGES } from "@/lib/kernel/navigation/pages";
import type { Scope } from "@/lib/permissions/scopes";
import { accessOf, EVERYWHERE, keyOf } from "./access-draft";

export type AccessSummaryProps = {
  role: { name: string; superAdmin: boolean };
  permissions: readonly RolePermission[];
};

type Line = { key: string; name: string; href: string | null; scopes: readonly Scope[] };
type Group = { key: string; name: string; href: string | null; lines: Line[] };

/** What a role gives, for reading: the applications and environments, each with its level. */
export function AccessSummary({ role, permissions }: AccessSummaryProps) {
  const t = useTranslations("people.person");
  const names = useTranslations("permissions");
  const access = accessOf(permissions);
  const everywhere = access.get(keyOf(EVERYWHERE));
  const apps = new Map<string, Group>();
  for (const app of permissions.flatMap((permission) => (permission.apps === "all" ? [] : permission.apps))) {
    const lines = new Map((apps.get(app.id)?.lines ?? []).map((line) => [line.key, line]));
    const places =
      app.environments === "all"
        ? [{ environmentId: null, name: names("allEnvironments") }]
        : app.environments.map(({ id, name }) => ({ environmentId: id, name }));
    for (const { environmentId, name } of places) {
      const key = keyOf({ appId: app.id, environmentId });
      const href = environmentId && contextPath(PAGES.adminEnvironment, app.id, environmentId);
      lines.set(key, { key, name, href, scopes: access.get(key) ?? [] });
    }
    apps.set(app.id, { key: app.id, name: app.name, href: appPath(app.id, true), lines: [...lines.values()] });
  }
  for (const { scopes, groups: ofGroups } of permissions) {
    for (const { id, name, app } of ofGroups) {
      const known = apps.get(app.id);
      const line = { key: id, name: names("releasesOf", { count: 1, groups: name }), href: null, scopes };
      const lines = [...(known?.lines ?? []), line];
      apps.set(app.id, { key: app.id, name: app.name, href: appPath(app.id, true), lines });
    }
  }
  const all = { key: "all", name: names("allEnvironments"), href: null };
  const groups: Group[] = [
    ...(everywhere
      ? [{ key: "all", name: names("allApps"), href: null, lines: [{ ...all, scopes: everywhere }] }]
      : []),
    ...apps.values(),
  ];
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("access")}</CardTitle>
        <CardDescription>
          {role.superAdmin ? t("everything") : t(groups.length === 0 ? "noAccess" : "byRole", { role: role.name })}
        </CardDescription>
      </CardHeader>
      <CardContent className="gap-3 empty:pt-0">
        {!role.superAdmin &&
          groups.map(({ key, name, href, lines }) => (
            <div key={key} className="flex min-w-0 gap-3">
              <Avatar shape="square" name={name} className="size-7" />
              <div className="flex min-w-0 flex-1 flex-col gap-1 pt-1">
                <Name name={name} href={href} className="font-medium" />
                <ul className="flex flex-col gap-1">
                  {lines.map((line) => (
                    <li key={line.key} className="flex min-w-0 items-baseline justify-between gap-4">
                      <Name name={line.name} href={line.href} className="text-muted-foreground" />
                      <span className="shrink-0">
                        <AccessLevel scopes={line.scopes} />
                      </span>
                    </li>
                  ))}
                </ul>
              </div>
            </div>
          ))}
      </CardContent>
    </Card>
  );
}

function Name({ name, href, className }: { name: string; href: string | null; className: string }) {
  const text = <span className={`min-w-0 break-words ${className}`}>{name}</span>;
  return href ? (
    <HoverLink href={href} className="min-w-0 hover:underline">
      {text}
    </HoverLink>
  ) : (
    text
  );
}
