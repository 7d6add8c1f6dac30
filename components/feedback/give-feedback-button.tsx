"use client";

import { MessageSquarePlus } from "lucide-react";
import { useTranslations } from "next-intl";
import { DialogButton } from "@/components/common/dialog-button";
import { lazyDialog } from "@/components/common/lazy-dialog";
import type { GiveFeedbackDialogProps } from "./give-feedback-dialog";

const GiveFeedbackDialog = lazyDialog(() => import("./give-feedback-dialog").then((file) => file.GiveFeedbackDialog));

/** Opens the form for feedback on a release. */
export function GiveFeedbackButton({ release }: Pick<GiveFeedbackDialogProps, "release">) {
  const t = useTranslations("feedback");
  return (
    <DialogButton
      variant="secondary"
      requestedAs="feedback"
      dialog={(dialog) => <GiveFeedbackDialog release={release} {...dialog} />}
    >
      <MessageSquarePlus aria-hidden />
      {t("give")}
    </DialogButton>
  );
}
