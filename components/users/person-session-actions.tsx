"use client";

import { LogOut } from "lucide-react";
import { useTranslations } from "next-intl";
import { ConfirmDialogOnDemand } from "@/components/common/confirm-dialog-on-demand";
import { DialogButton } from "@/components/common/dialog-button";
import { RowButton } from "@/components/common/row-button";
import { useDeletion } from "@/components/common/use-deletion";
import { notify } from "@/lib/client/notify";

/** Ends a session of a user. */
export function EndPersonSessionButton({ userId, id, name }: { userId: string; id: string; name: string }) {
  const t = useTranslations("profile.sessions");
  const { run, pending } = useDeletion("auth/delete-sessions-of-user", { userId, id }, () =>
    notify.success(t("ended")),
  );
  return (
    <RowButton label={t("end", { name })} icon={<LogOut aria-hidden />} destructive loading={pending} onClick={run} />
  );
}

/** Ends all sessions of a user, except the caller's own current one. */
export function EndPersonSessionsButton({ userId, name }: { userId: string; name: string }) {
  const t = useTranslations("people.person.sessions");
  const { run } = useDeletion("auth/delete-sessions-of-user", { userId }, () =>
    notify.success(t("allEnded", { name })),
  );
  return (
    <DialogButton
      variant="secondary"
      dialog={(dialog) => (
        <ConfirmDialogOnDemand
          {...dialog}
          title={t("endAllTitle", { name })}
          description={t("endAllDescription")}
          confirmLabel={t("endAll")}
          onConfirm={run}
        />
      )}
    >
      <LogOut aria-hidden />
      {t("endAll")}
    </DialogButton>
  );
}
