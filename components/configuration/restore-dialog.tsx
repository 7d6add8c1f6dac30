"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { DifferenceList, useDifferenceCounts } from "@/components/common/configuration/difference-list";
import { useConfigurationDiff } from "@/components/common/configuration/use-configuration-diff";
import { ConfirmDialog } from "@/components/common/confirm-dialog";
import { ErrorState } from "@/components/common/error-state";
import type { DialogProps } from "@/components/common/use-dialog";
import { Checkbox } from "@/components/ui/checkbox";
import { Label } from "@/components/ui/label";
import { Skeleton } from "@/components/ui/skeleton";
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
  const compare = useTranslations("configuration.diff");
  const names = useTranslations("configuration.kinds");
  const router = useRouter();
  const restore = useOperation("apps/restore-configuration");
  const countsOf = useDifferenceCounts();
  const [chosen, setChosen] = useState<readonly EntryKind[]>(kinds);
  const { diff, problem, retry } = useConfigurationDiff({ environmentId, from: "current", to: version });
  const items = diff?.items.filter(({ kind }) => chosen.includes(kind));

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
      className="lg:max-w-2xl"
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
          {problem ? (
            <ErrorState
              title={compare("failed")}
              description={problem.detail}
              code={problem.requestId ?? undefined}
              onRetry={retry}
            />
          ) : items ? (
            <section aria-label={t("changes")} className="flex flex-col gap-3 text-foreground">
              <p role="status" className="font-medium">
                {items.length === 0 ? t("unchanged") : countsOf(items)}
              </p>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
              <div tabIndex={0} className="-mx-1 flex max-h-72 flex-col gap-3 overflow-y-auto px-1">
                <DifferenceList items={items} valuesOmitted={diff?.valuesOmitted} />
              </div>
            </section>
          ) : (
            <Skeleton role="status" aria-label={compare("loading")} className="h-16 w-full" />
          )}
        </div>
      }
      confirmLabel={t("confirm")}
      tone="primary"
      onConfirm={confirm}
    />
  );
}
