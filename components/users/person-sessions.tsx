import { useTranslations } from "next-intl";
import { fullName } from "@/components/common/full-name";
import { SessionLine } from "@/components/common/session/session-line";
import { Card, CardTitle } from "@/components/ui/card";
import type { AdministeredUser, UserSession } from "@/lib/features/users/schema";
import { EndPersonSessionButton, EndPersonSessionsButton } from "./person-session-actions";

/** Where a user is signed in, with buttons that end these sessions. */
export function PersonSessions({ user, sessions }: { user: AdministeredUser; sessions: readonly UserSession[] }) {
  const t = useTranslations("people.person.sessions");
  const title = useTranslations("profile.sessions")("title");
  const others = sessions.filter(({ current }) => !current);
  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 px-4 py-3 lg:px-5">
        <CardTitle>{title}</CardTitle>
        {others.length > 1 && <EndPersonSessionsButton userId={user.id} name={fullName(user)} />}
      </div>
      {sessions.length === 0 ? (
        <p className="px-4 pb-4 text-muted-foreground lg:px-5">{t("none")}</p>
      ) : (
        <ul aria-label={title} className="divide-y divide-border border-border border-t">
          {sessions.map((session) => (
            <SessionLine
              key={session.id}
              session={session}
              action={(name) => <EndPersonSessionButton userId={user.id} id={session.id} name={name} />}
            />
          ))}
        </ul>
      )}
    </Card>
  );
}
