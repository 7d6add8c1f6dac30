import { useTranslations } from "next-intl";
import { DateTime } from "@/components/common/date-time";
import { type Fact, Facts } from "@/components/common/facts";
import { HoverLink } from "@/components/common/hover-link";
import { roleLabel } from "@/components/common/permissions/role-label";
import { RelativeTime } from "@/components/common/relative-time";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import type { OperationOutput } from "@/lib/client/operation-types";
import { appPath, PAGES, pagePath } from "@/lib/kernel/navigation/pages";

/** Who a user is, how the user signs in, and the groups of testers that the user belongs to. */
export function PersonFacts({ user }: { user: OperationOutput<"auth/get-user"> }) {
  const t = useTranslations("people.person");
  const users = useTranslations("users");
  const person = useTranslations("profile");
  const roles = useTranslations("roles");
  const facts: Fact[] = [
    {
      label: person("role"),
      value: (
        <HoverLink href={pagePath(PAGES.adminRoles, { role: user.role.id })} className="text-link hover:underline">
          {roleLabel(user.role.name, roles)}
        </HoverLink>
      ),
    },
    { label: person("team"), value: user.team ?? <span className="text-muted-foreground">{person("noTeam")}</span> },
    { label: users("provider"), value: users(`providers.${user.provider}`) },
    { label: t("twoFactor"), value: t(user.twoFactorEnabled ? "on" : "off") },
    {
      label: users("lastSignIn"),
      value: user.lastSignInAt ? <RelativeTime date={user.lastSignInAt} /> : users("neverSignedIn"),
    },
    { label: t("added"), value: <DateTime date={user.createdAt} /> },
    {
      label: t("groups"),
      value:
        user.groups.length === 0 ? (
          <span className="text-muted-foreground">{t("noGroups")}</span>
        ) : (
          <ul className="flex flex-col gap-1">
            {user.groups.map(({ id, name, app }) => (
              <li key={id}>
                {name}{" "}
                <HoverLink href={appPath(app.id, true)} className="text-muted-foreground hover:underline">
                  {app.name}
                </HoverLink>
              </li>
            ))}
          </ul>
        ),
    },
  ];
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("facts")}</CardTitle>
      </CardHeader>
      <CardContent>
        <Facts items={facts} />
      </CardContent>
    </Card>
  );
}
