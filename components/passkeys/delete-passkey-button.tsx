"use client";

import { Trash2 } from "lucide-react";
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

/** Deletes one of one's own passkeys, once that was confirmed. */
export function DeletePasskeyButton({ id, name }: { id: string; name: string }) {
  const t = useTranslations("passkeys");
  const router = useRouter();
  const { opening, open, onOpenChange, show } = useDialog();
  const remove = useOperation("auth/delete-user-passkey", { quiet: true });

  const confirm = async () => {
    const result = await remove.run({ id });
    if (result.ok) notify.success(t("deleted", { name }));
    else notify.error(t("deleteFailed"), { description: result.problem.detail });
    // Where it was gone already, the list has to learn of that too.
    if (result.ok || result.problem.code === "not_found") router.refresh();
    return result;
  };

  return (
    <>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={t("delete", { name })}
        onClick={show}
        className="text-muted-foreground hover:text-danger"
      >
        <Trash2 aria-hidden />
      </Button>
      {opening > 0 && (
        <ConfirmDialog
          key={opening}
          open={open}
          onOpenChange={onOpenChange}
          title={t("deleteTitle", { name })}
          description={t("deleteDescription")}
          confirmLabel={t("deleteConfirm")}
          onConfirm={confirm}
        />
      )}
    </>
  );
}
