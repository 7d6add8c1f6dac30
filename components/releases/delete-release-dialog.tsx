"use client";

import { useTranslations } from "next-intl";
import { ConfirmDialog } from "@/components/common/confirm-dialog";
import { useNavigate } from "@/components/common/pending/navigation";
import { releaseName } from "@/components/common/release-name";
import { useDeletion } from "@/components/common/use-deletion";
import type { DialogProps } from "@/components/common/use-dialog";
import { notify } from "@/lib/client/notify";
import type { ReleaseSummary } from "./release-summary";

export type DeleteReleaseDialogProps = DialogProps & {
  release: ReleaseSummary;
  /** The page to open afterwards; if omitted, the current page is refreshed. */
  listHref?: string;
};

/** Deletes a release with its installer, after its version was typed. */
export function DeleteReleaseDialog({ release, listHref, open, onOpenChange }: DeleteReleaseDialogProps) {
  const t = useTranslations("releases.delete");
  const navigate = useNavigate();
  const name = releaseName(release);

  const { run } = useDeletion("apps/delete-testing-deploy", { id: release.id }, () => {
    notify.success(t("done", { name }));
    if (listHref) navigate(listHref);
  });

  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("title", { name })}
      description={t("description")}
      confirmLabel={t("confirm")}
      typeToConfirm={release.version}
      onConfirm={run}
    />
  );
}
