"use client";

import { MailPlus, UserMinus } from "lucide-react";
import { useTranslations } from "next-intl";
import { ActionMenu } from "@/components/common/action-menu";
import { useDeletion } from "@/components/common/use-deletion";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";

type UnreachedMemberMenuProps = {
  groupId: string;
  member: { id: string; name: string };
  /** Whether a mail server refused the address. */
  bounced: boolean;
};

/** The menu of a member of a group of testers who has not agreed, or whose address was refused: tries again by mail, or removes. */
export function UnreachedMemberMenu({ groupId, member: { id, name }, bounced }: UnreachedMemberMenuProps) {
  const t = useTranslations("testers");
  const input = { groupId, memberId: id };
  const ask = useOperation("testers/resend-tester-confirmation");
  const removal = useDeletion("testers/remove-tester-group-member", input, () =>
    notify.success(t("removed", { name })),
  );
  const askAgain = async () => {
    const { ok } = await ask.run(input);
    if (ok) notify.success(t(bounced ? "ask.resumed" : "ask.done", { name }));
  };
  return (
    <ActionMenu
      name={name}
      actions={[
        {
          label: t(bounced ? "ask.resume" : "ask.action", { name }),
          icon: <MailPlus aria-hidden />,
          onSelect: () => void askAgain(),
        },
        {
          label: t("remove", { name }),
          icon: <UserMinus aria-hidden />,
          onSelect: () => void removal.run(),
          destructive: true as const,
        },
      ]}
    />
  );
}
