import { MonitorSmartphone } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { RelativeTime } from "@/components/common/relative-time";
import { Badge } from "@/components/ui/badge";
import type { UserSession } from "@/lib/features/users/schema";

export type SessionLineProps = {
  session: UserSession;
  /** The button that ends a session, which is named after its program and system. */
  action: (name: string) => ReactNode;
};

/** A session in a list: its program and system, how it began, when and from where. */
export function SessionLine({ session, action }: SessionLineProps) {
  const t = useTranslations("profile.sessions");
  const { program, system } = session.client;
  const name = program && system ? t("on", { program, system }) : (program ?? system ?? t("unknown"));
  return (
    <li className="flex items-center gap-3.5 px-4 py-3 lg:px-5">
      <MonitorSmartphone aria-hidden className="size-4.5 shrink-0 text-muted-foreground" />
      <div className="flex min-w-0 flex-1 flex-col">
        <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <span className="truncate font-medium">{name}</span>
          {session.current && <Badge tone="success">{t("current")}</Badge>}
        </span>
        <span className="flex flex-wrap gap-x-1.5 text-muted-foreground text-xs leading-4.5">
          <span>{t(`methods.${session.method}`)}</span>
          <span aria-hidden>·</span>
          <RelativeTime date={session.createdAt} />
          {session.ip && (
            <>
              <span aria-hidden>·</span>
              <span className="break-all font-mono">{session.ip}</span>
            </>
          )}
        </span>
      </div>
      {!session.current && action(name)}
    </li>
  );
}
