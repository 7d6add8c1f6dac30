import { MonitorSmartphone } from "lucide-react";
import { useTranslations } from "next-intl";
import { RelativeTime } from "@/components/common/relative-time";
import { Badge } from "@/components/ui/badge";
import { Card, CardDescription, CardTitle } from "@/components/ui/card";
import type { UserSession } from "@/lib/features/users/schema";
import { EndOtherSessionsButton, EndSessionButton } from "./session-actions";

/** The user's sessions, with buttons to end them. */
export function SessionsCard({ sessions }: { sessions: readonly UserSession[] }) {
  const t = useTranslations("profile.sessions");
  // The current session first, then the others in the server's order, newest first.
  const ordered = [...sessions.filter(({ current }) => current), ...sessions.filter(({ current }) => !current)];
  return (
    <Card className="max-w-2xl">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3 px-4 pt-4 pb-3 lg:px-5">
        <div className="flex min-w-0 flex-col gap-1">
          <CardTitle>{t("title")}</CardTitle>
          <CardDescription>{t("description")}</CardDescription>
        </div>
        {ordered.length > 1 && <EndOtherSessionsButton />}
      </div>
      <ul aria-label={t("title")} className="divide-y divide-border border-border border-t">
        {ordered.map((session) => (
          <Session key={session.id} session={session} />
        ))}
      </ul>
    </Card>
  );
}

function Session({ session }: { session: UserSession }) {
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
      {!session.current && <EndSessionButton id={session.id} name={name} />}
    </li>
  );
}
