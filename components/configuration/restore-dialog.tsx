"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { ConfirmDialog } from "@/components/common/confirm-dialog";
import type { DialogProps } from "@/components/common/use-dialog";
import { Checkbox } from "@/components/ui/checkbox";
import { Label } from "@/components/ui/label";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";
import type { EntryKind } from "@/lib/features/configuration/schema";

export type RestoreDialogProps = DialogProps & {
  environmentId: string;
  version: number;
  /** The number of the latest version. */
  latest: number;
  /** The kinds that the user may restore. */
  kinds: readonly EntryKind[];
};

/** Asks which kinds of entries to restore from a version, and restores them as a new version. */
export function RestoreDialog({ environmentId, version, latest, kinds, open, onOpenChange }: RestoreDialogProps) {
  const t = useTranslations("configuration.restore");
  const names = useTranslations("configuration.kinds");
  const router = useRouter();
  const restore = useOperation("apps/restore-configuration");
  const [chosen, setChosen] = useState<readonly EntryKind[]>(kinds);

  const confirm = async () => {
    if (chosen.length === 0) return { ok: false };
    const result = await restore.run({ environmentId, version, kinds: [...chosen] });
    if (result.ok) {
      if (result.data.version === latest) notify.info(t("unchanged"));
      else notify.success(t("done", { from: version, version: result.data.version }));
      router.refresh();
    }
    return result;
  };

  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("title", { version })}
      description={
        <div className="flex flex-col gap-3">
          <p>{t("description")}</p>
          <fieldset className="flex flex-col gap-1">
            <legend className="mb-2 font-medium text-foreground">{t("kinds")}</legend>
            {kinds.map((kind) => (
              <Label key={kind} className="min-h-6 gap-2.5 font-normal text-foreground max-lg:min-h-11">
                <Checkbox
                  checked={chosen.includes(kind)}
                  onCheckedChange={(checked) =>
                    setChosen(kinds.filter((one) => (one === kind ? checked === true : chosen.includes(one))))
                  }
                />
                {names(kind)}
              </Label>
            ))}
          </fieldset>
        </div>
      }
      confirmLabel={t("confirm")}
      tone="primary"
      onConfirm={confirm}
    />
  );
}
