"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { ConfirmDialog } from "@/components/common/confirm-dialog";
import { useNavigate } from "@/components/common/pending/navigation";
import { releaseName } from "@/components/common/releases/release-name";
import type { DialogProps } from "@/components/common/use-dialog";
import { useUndo } from "@/components/common/use-undo";
import { Label } from "@/components/ui/label";
import { RadioGroup, RadioGroupItem } from "@/components/ui/radio-group";
import { command } from "@/lib/client/client";
import { useOperation } from "@/lib/client/use-operation";
import { releasePath } from "@/lib/kernel/navigation/pages";
import type { ReleaseSummary } from "./release-summary";

export type DeleteReleaseDialogProps = DialogProps & {
  /** The file to delete. */
  release: ReleaseSummary;
  /** All files of its build, this one included. */
  files: readonly ReleaseSummary[];
  /** Set on the page of the build: the page to open when nothing is left of it. */
  listHref?: string;
};

/** Deletes a file of a build, or all of them. They go to the bin, and can be restored at once. */
export function DeleteReleaseDialog({ release, files, listHref, open, onOpenChange }: DeleteReleaseDialogProps) {
  const t = useTranslations("releases.delete");
  const navigate = useNavigate();
  const router = useRouter();
  const fieldId = useId();
  const [all, setAll] = useState(false);
  const notifyUndoable = useUndo();
  const { run: remove } = useOperation("apps/delete-testing-deploy");
  const name = releaseName(release);
  const others = files.filter(({ id }) => id !== release.id);
  const isOnly = others.length === 0;
  const kept = others.map(({ fileLabel }) => fileLabel).join(", ");

  const confirm = async () => {
    const deleted: string[] = [];
    for (const { id } of all ? files : [release]) {
      const result = await remove({ id });
      if (result.ok) deleted.push(id);
      // Somebody else has deleted it.
      if (!result.ok && result.problem.code !== "not_found") {
        router.refresh();
        return result;
      }
    }
    const restore = async () => {
      for (const id of deleted) await command("retention/restore-release", { id });
      return { title: t("restored", { count: deleted.length }) };
    };
    notifyUndoable(
      t(all || isOnly ? "doneBuild" : "doneFile", { name, file: release.fileLabel }),
      deleted.length > 0 ? restore : undefined,
    );
    const [left] = all ? [] : others;
    if (listHref) navigate(left ? releasePath(left.id) : listHref);
    router.refresh();
    return { ok: true } as const;
  };

  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t(all || isOnly ? "title" : "titleFile", { name, file: release.fileLabel })}
      description={
        <div className="flex flex-col gap-3">
          <p>{t("description")}</p>
          {!isOnly && (
            <RadioGroup
              aria-label={t("what")}
              value={all ? "all" : "file"}
              onValueChange={(value) => setAll(value === "all")}
            >
              {(["file", "all"] as const).map((choice) => (
                <div key={choice} className="flex items-center gap-2.5">
                  <RadioGroupItem id={`${fieldId}-${choice}`} value={choice} />
                  <Label htmlFor={`${fieldId}-${choice}`} className="font-normal text-foreground">
                    {choice === "file"
                      ? t("onlyFile", { file: release.fileLabel, kept })
                      : t("wholeBuild", { count: files.length })}
                  </Label>
                </div>
              ))}
            </RadioGroup>
          )}
        </div>
      }
      confirmLabel={t(all || isOnly ? "confirm" : "confirmFile", { file: release.fileLabel })}
      onConfirm={confirm}
    />
  );
}
