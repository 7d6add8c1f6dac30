"use client";

import { Megaphone } from "lucide-react";
import { useTranslations } from "next-intl";
import { DialogButton } from "@/components/common/dialog-button";
import { lazyDialog } from "@/components/common/lazy-dialog";
import type { ReleaseSummary } from "./release-summary";

const TellTestersDialog = lazyDialog(() => import("./tell-testers-dialog").then((file) => file.TellTestersDialog));

/** Opens the dialog that distributes a release to groups of testers, and shows who was told. */
export function TellTestersButton({ release }: { release: ReleaseSummary }) {
  const t = useTranslations("testers.tell");
  return (
    <DialogButton variant="secondary" dialog={(dialog) => <TellTestersDialog release={release} {...dialog} />}>
      <Megaphone aria-hidden />
      {t("action")}
    </DialogButton>
  );
}
