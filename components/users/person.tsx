import { useTranslations } from "next-intl";
import { fullName } from "@/components/common/full-name";
import { Avatar } from "@/components/ui/avatar";
import { Badge } from "@/components/ui/badge";
import type { AdministeredUser } from "@/lib/features/users/schema";

/** A person in a list: avatar and name, with the email below. */
export function Person({ user, isSelf }: { user: AdministeredUser; isSelf: boolean }) {
  const t = useTranslations("users");
  const name = fullName(user);
  return (
    <span className="flex min-w-0 items-center gap-3">
      <Avatar name={name} src={user.avatarUrl} className="size-8" />
      <span className="flex min-w-0 flex-col">
        <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5">
          <span className="truncate" title={name}>
            {name}
          </span>
          {isSelf && <Badge tone="accent">{t("you")}</Badge>}
        </span>
        <span className="truncate font-normal text-muted-foreground text-xs leading-4.5" title={user.email}>
          {user.email}
        </span>
      </span>
    </span>
  );
}
