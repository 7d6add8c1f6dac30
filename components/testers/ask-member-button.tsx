"use client";

import { MailPlus } from "lucide-react";
import { useTranslations } from "next-intl";
import { RowButton } from "@/components/common/row-button";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";

type AskMemberButtonProps = { groupId: string; member: { id: string; name: string } };

/** Asks a member of a group of testers again by mail whether they agree. */
export function AskMemberButton({ groupId, member: { id, name } }: AskMemberButtonProps) {
  const t = useTranslations("testers.ask");
  const ask = useOperation("testers/resend-tester-confirmation");
  const run = async () => {
    const { ok } = await ask.run({ groupId, memberId: id });
    if (ok) notify.success(t("done", { name }));
  };
  return (
    <RowButton
      label={t("action", { name })}
      icon={<MailPlus aria-hidden />}
      loading={ask.pending}
      onClick={() => void run()}
    />
  );
}
