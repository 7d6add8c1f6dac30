"use client";

import { UserMinus } from "lucide-react";
import { useTranslations } from "next-intl";
import { RowButton } from "@/components/common/row-button";
import { useDeletion } from "@/components/common/use-deletion";
import { notify } from "@/lib/client/notify";

type RemoveMemberButtonProps = { groupId: string; member: { id: string; name: string } };

/** Removes a member of a group of testers. It needs no confirmation: the person can be added again. */
export function RemoveMemberButton({ groupId, member: { id, name } }: RemoveMemberButtonProps) {
  const t = useTranslations("testers");
  const { run, pending } = useDeletion("testers/remove-tester-group-member", { groupId, memberId: id }, () =>
    notify.success(t("removed", { name })),
  );
  return (
    <RowButton
      label={t("remove", { name })}
      icon={<UserMinus aria-hidden />}
      destructive
      loading={pending}
      onClick={() => void run()}
    />
  );
}
