import { useTranslations } from "next-intl";
import { SessionLine } from "@/components/common/session/session-line";
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
          <SessionLine
            key={session.id}
            session={session}
            action={(name) => <EndSessionButton id={session.id} name={name} />}
          />
        ))}
      </ul>
    </Card>
  );
}
