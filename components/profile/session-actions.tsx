"use client";

import { LogOut } from "lucide-react";
import { useTranslations } from "next-intl";
import { ConfirmDialogOnDemand } from "@/components/common/confirm-dialog-on-demand";
import { DialogButton } from "@/components/common/dialog-button";
import { RowButton } from "@/components/common/row-button";
import { useDeletion } from "@/components/common/use-deletion";
import { notify } from "@/lib/client/notify";

/** Ends one of the user's other sessions. */
export function EndSessionButton({ id, name }: { id: string; name: string }) {
  const t = useTranslations("profile.sessions");
  const { run, pending } = useDeletion("auth/delete-user-sessions", { id }, () => notify.success(t("ended")));

  return (
    <RowButton label={t("end", { name })} icon={<LogOut aria-hidden />} destructive loading={pending} onClick={run} />
  );
}

/** Ends all of the user's other sessions. */
export function EndOtherSessionsButton() {
  const t = useTranslations("profile.sessions");
  const { run } = useDeletion("auth/delete-user-sessions", {}, () => notify.success(t("othersEnded")));

  return (
    <DialogButton
      variant="secondary"
      dialog={(dialog) => (
        <ConfirmDialogOnDemand
          {...dialog}
          title={t("endOthersTitle")}
          description={t("endOthersDescription")}
          confirmLabel={t("endOthers")}
          onConfirm={run}
        />
      )}
    >
      <LogOut aria-hidden />
      {t("endOthers")}
    </DialogButton>
  );
}
