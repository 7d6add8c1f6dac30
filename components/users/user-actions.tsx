"use client";

import { Mail, Pencil, ShieldOff } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { ActionMenu } from "@/components/common/action-menu";
import { fullName } from "@/components/common/full-name";
import type { Invitation } from "@/components/common/invite/invitation-links-dialog";
import { lazyDialog } from "@/components/common/lazy-dialog";
import type { MenuItem } from "@/components/common/menu";
import { OpenedDialog } from "@/components/common/opened-dialog";
import { RowButton } from "@/components/common/row-button";
import { useDialog } from "@/components/common/use-dialog";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";
import type { AdministeredUser } from "@/lib/features/users/schema";

// Loaded when they are opened for the first time, not with the list.
const UpdateUserDialog = lazyDialog(() => import("./user-dialog").then((file) => file.UpdateUserDialog));
const InvitationLinksDialog = lazyDialog(() =>
  import("@/components/common/invite/invitation-links-dialog").then((file) => file.InvitationLinksDialog),
);
const ResetTwoFactorDialog = lazyDialog(() =>
  import("@/components/users/reset-two-factor-dialog").then((file) => file.ResetTwoFactorDialog),
);

/** Sends the invitation of a user again. If no mail server does, it shows the link. */
function useResend(user: AdministeredUser) {
  const t = useTranslations("users");
  const { run, pending } = useOperation("auth/resend-invitation");
  const passOn = useDialog();
  const [invitation, setInvitation] = useState<Invitation | null>(null);

  const send = async () => {
    const result = await run({ id: user.id });
    if (!result.ok) return;
    const { invitationLink: link } = result.data;
    if (link) {
      setInvitation({ name: fullName(user), email: user.email, link });
      passOn.show();
    } else notify.success(t("invitationSent", { email: user.email }));
  };
  const link = (
    <OpenedDialog state={passOn}>
      {({ open, onOpenChange }) =>
        open && invitation ? (
          <InvitationLinksDialog invitations={[invitation]} onClose={() => onOpenChange(false)} />
        ) : null
      }
    </OpenedDialog>
  );
  return { send, pending, link };
}

/** Sends the invitation of a user again, from the user's row. */
export function ResendButton({ user }: { user: AdministeredUser }) {
  const t = useTranslations("users");
  const { send, pending, link } = useResend(user);
  return (
    <>
      <RowButton
        label={t("resendTo", { name: fullName(user) })}
        title={t("resend")}
        icon={<Mail aria-hidden />}
        loading={pending}
        onClick={() => void send()}
      />
      {link}
    </>
  );
}

/** The menu of a user in a list. */
export function UserMenu({ user, isSelf }: { user: AdministeredUser; isSelf: boolean }) {
  const t = useTranslations("users");
  const common = useTranslations("common");
  const update = useDialog();
  const reset = useDialog();
  const resend = useResend(user);

  const actions: MenuItem[] = [{ label: common("edit"), icon: <Pencil aria-hidden />, onSelect: update.show }];
  if (user.invited && user.status === "active") {
    actions.push({ label: t("resend"), icon: <Mail aria-hidden />, onSelect: resend.send });
  }
  // Administrators turn off their own in the profile, with a code.
  // A user without an authenticator app may have lost a passkey.
  if (!user.invited && !isSelf) {
    actions.push({
      label: t("resetTwoFactor"),
      icon: <ShieldOff aria-hidden />,
      onSelect: reset.show,
      destructive: true,
    });
  }

  return (
    <>
      <ActionMenu name={fullName(user)} actions={actions} />
      <OpenedDialog state={update}>
        {(dialog) => <UpdateUserDialog user={user} isSelf={isSelf} {...dialog} />}
      </OpenedDialog>
      {resend.link}
      <OpenedDialog state={reset}>{(dialog) => <ResetTwoFactorDialog user={user} {...dialog} />}</OpenedDialog>
    </>
  );
}
