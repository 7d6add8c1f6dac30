"use client";

import { LogOut } from "lucide-react";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useDialog } from "@/components/common/use-dialog";
import { Button } from "@/components/ui/button";
import { useOperation } from "@/lib/api/use-operation";
import { notify } from "@/lib/notify";

const ConfirmDialog = dynamic(() => import("@/components/common/confirm-dialog").then((file) => file.ConfirmDialog), {
  ssr: false,
});

/** Ends one other session. */
export function EndSessionButton({ id, name }: { id: string; name: string }) {
  const t = useTranslations("profile.sessions");
  const router = useRouter();
  const end = useOperation("auth/delete-user-sessions");

  const run = async () => {
    const result = await end.run({ id });
    if (result.ok) notify.success(t("ended"));
    // One that has ended meanwhile is gone from the list as well.
    if (result.ok || result.problem.code === "not_found") router.refresh();
  };

  return (
    <Button
      variant="ghost"
      size="icon-sm"
      aria-label={t("end", { name })}
      loading={end.pending}
      onClick={run}
      className="text-muted-foreground hover:text-danger"
    >
      <LogOut aria-hidden />
    </Button>
  );
}

/** Ends every session but this one. */
export function EndOtherSessionsButton() {
  const t = useTranslations("profile.sessions");
  const router = useRouter();
  const { opening, open, onOpenChange, show } = useDialog();
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
    <>
      <Button variant="secondary" onClick={show}>
        <LogOut aria-hidden />
        {t("endOthers")}
      </Button>
      {opening > 0 && (
        <ConfirmDialog
          key={opening}
          open={open}
          onOpenChange={onOpenChange}
          title={t("endOthersTitle")}
          description={t("endOthersDescription")}
          confirmLabel={t("endOthers")}
          onConfirm={confirm}
        />
      )}
    </>
  );
}
