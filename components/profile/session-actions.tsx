"use client";

import { LogOut } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { ConfirmDialogOnDemand } from "@/components/common/confirm-dialog-on-demand";
import { DialogButton } from "@/components/common/dialog-button";
import { RowButton } from "@/components/common/row-button";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";

/** Ends one of the user's other sessions. */
export function EndSessionButton({ id, name }: { id: string; name: string }) {
  const t = useTranslations("profile.sessions");
  const router = useRouter();
  const end = useOperation("auth/delete-user-sessions");

  const run = async () => {
    const result = await end.run({ id });
    if (result.ok) notify.success(t("ended"));
    // A session that has already ended is removed from the list as well.
    if (result.ok || result.problem.code === "not_found") router.refresh();
  };

  return (
    <RowButton
      label={t("end", { name })}
      icon={<LogOut aria-hidden />}
      destructive
      loading={end.pending}
      onClick={run}
    />
  );
}

/** Ends all of the user's other sessions. */
export function EndOtherSessionsButton() {
  const t = useTranslations("profile.sessions");
  const router = useRouter();
  const end = useOperation("auth/delete-user-sessions");

  const confirm = async () => {
    const result = await end.run({});
    if (result.ok) {
      notify.success(t("othersEnded"));
      router.refresh();
    }
    return result;
  };

  return (
    <DialogButton
      variant="secondary"
      dialog={(dialog) => (
        <ConfirmDialogOnDemand
          {...dialog}
          title={t("endOthersTitle")}
          description={t("endOthersDescription")}
          confirmLabel={t("endOthers")}
          onConfirm={confirm}
        />
      )}
    >
      <LogOut aria-hidden />
      {t("endOthers")}
    </DialogButton>
  );
}
