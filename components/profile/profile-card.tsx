import { useTranslations } from "next-intl";
import { Facts } from "@/components/common/facts";
import { roleLabel } from "@/components/common/permissions/role-label";
import { Avatar } from "@/components/ui/avatar";
import { Card, CardContent } from "@/components/ui/card";
import type { User } from "@/lib/features/auth/schema";

/** The signed-in user's details. */
export function ProfileCard({ user }: { user: User }) {
  const t = useTranslations("profile");
  const role = roleLabel(user.role.name, useTranslations("roles"));
  const name = `${user.firstNames} ${user.lastNames}`.trim();
  return (
    <Card className="max-w-2xl">
      <div className="flex items-center gap-4 border-border border-b px-4 py-5 lg:px-5">
        <Avatar name={name} src={user.avatarUrl} className="size-16 text-xl" />
        <div className="flex min-w-0 flex-col">
          <p className="truncate font-semibold text-base tracking-tight">{name}</p>
          <p className="truncate text-muted-foreground">{role}</p>
        </div>
      </div>
      <CardContent>
        <Facts
          items={[
            { label: t("firstNames"), value: user.firstNames },
            { label: t("lastNames"), value: user.lastNames },
            { label: t("email"), value: user.email },
            { label: t("role"), value: role },
            { label: t("team"), value: user.team ?? <span className="text-muted-foreground">{t("noTeam")}</span> },
          ]}
        />
        <p className="text-muted-foreground text-xs leading-4.5">{t("administered")}</p>
      </CardContent>
    </Card>
  );
}
