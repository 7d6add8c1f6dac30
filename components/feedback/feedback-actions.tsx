"use client";

import { Check, MessageSquareText, RotateCcw } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { ActionMenu } from "@/components/common/action-menu";
import { lazyDialog } from "@/components/common/lazy-dialog";
import { OpenedDialog } from "@/components/common/opened-dialog";
import { useDialog } from "@/components/common/use-dialog";
import { useMenuDeletion } from "@/components/common/use-menu-deletion";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";
import type { Feedback } from "@/lib/features/feedback/schema";

const FeedbackDialog = lazyDialog(() => import("./feedback-dialog").then((file) => file.FeedbackDialog));

/** The menu of feedback in the list. */
export function FeedbackMenu({ feedback }: { feedback: Feedback }) {
  const t = useTranslations("feedback");
  const router = useRouter();
  const { id, state, version, buildNumber, mayChange } = feedback;
  const name = `${version} (${buildNumber})`;
  const details = useDialog();
  const update = useOperation("feedback/update-feedback");
  const deletion = useMenuDeletion(
    "feedback/delete-feedback",
    { id },
    { title: t("deleteTitle"), description: t("deleteDescription") },
    () => notify.success(t("deleted")),
  );
  const isOpen = state === "open";
  const switchState = async () => {
    const result = await update.run({ id, state: isOpen ? "done" : "open" });
    if (!result.ok) return;
    notify.success(t(isOpen ? "markedDone" : "reopened"));
    router.refresh();
  };
  return (
    <>
      <ActionMenu
        name={t("details", { name })}
        actions={[
          { label: t("show"), icon: <MessageSquareText aria-hidden />, onSelect: details.show },
          ...(mayChange
            ? [
                {
                  label: t(isOpen ? "markDone" : "reopen"),
                  icon: isOpen ? <Check aria-hidden /> : <RotateCcw aria-hidden />,
                  onSelect: switchState,
                },
                deletion.action,
              ]
            : []),
        ]}
      />
      <OpenedDialog state={details}>{(dialog) => <FeedbackDialog feedback={feedback} {...dialog} />}</OpenedDialog>
      {deletion.dialog}
    </>
  );
}
