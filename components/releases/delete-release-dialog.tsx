"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { ConfirmDialog } from "@/components/common/confirm-dialog";
import { useNavigate } from "@/components/common/pending/navigation";
import { releaseName } from "@/components/common/release-name";
import type { DialogProps } from "@/components/common/use-dialog";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";
import type { ReleaseSummary } from "./release-summary";

export type DeleteReleaseDialogProps = DialogProps & {
  release: ReleaseSummary;
  /** The page to open afterwards; if omitted, the current page is refreshed. */
  listHref?: string;
};

/** Deletes a release with its installer, after its version was typed. */
export function DeleteReleaseDialog({ release, listHref, open, onOpenChange }: DeleteReleaseDialogProps) {
  const t = useTranslations("releases.delete");
  const router = useRouter();
  const navigate = useNavigate();
  const remove = useOperation("apps/delete-testing-deploy");
  const name = releaseName(release);

  const confirm = async () => {
    const result = await remove.run({ id: release.id });
    if (!result.ok) return result;
    notify.success(t("done", { name }));
    if (listHref) navigate(listHref);
    router.refresh();
    return result;
  };

  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("title", { name })}
      description={t("description")}
      confirmLabel={t("confirm")}
      typeToConfirm={release.version}
      onConfirm={confirm}
    />
  );
}
