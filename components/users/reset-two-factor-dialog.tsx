"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { ConfirmDialog } from "@/components/common/confirm-dialog";
import type { DialogProps } from "@/components/common/use-dialog";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";

export type ResetTwoFactorDialogProps = DialogProps & {
  /** The user whose two-factor authentication is reset. */
  user: { id: string; firstNames: string; lastNames: string };
};

/**
 * Asks for confirmation before an administrator resets the two-factor authentication of a user who has lost the phone
 * and the recovery codes.
 */
export function ResetTwoFactorDialog({ user, open, onOpenChange }: ResetTwoFactorDialogProps) {
  const t = useTranslations("twoFactor.reset");
  const router = useRouter();
  const reset = useOperation("auth/reset-user-two-factor");
  const name = `${user.firstNames} ${user.lastNames}`.trim();

  const confirm = async () => {
    const result = await reset.run({ id: user.id });
    if (result.ok) {
      notify.success(t("done", { name }));
      router.refresh();
    }
    return result;
  };

  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("title", { name })}
      description={t("description")}
      confirmLabel={t("confirm")}
      onConfirm={confirm}
    />
  );
}
