"use client";

import { RotateCcw, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { ActionMenu } from "@/components/common/action-menu";
import { Bytes } from "@/components/common/bytes";
import { ConfirmDialogOnDemand } from "@/components/common/confirm-dialog-on-demand";
import { DialogButton } from "@/components/common/dialog-button";
import { OpenedDialog } from "@/components/common/opened-dialog";
import { useNavigate } from "@/components/common/pending/navigation";
import { releaseName } from "@/components/common/releases/release-name";
import { useDialog } from "@/components/common/use-dialog";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";
import type { BinnedRelease } from "@/lib/features/retention/schema";
import { releasePath } from "@/lib/kernel/navigation/pages";

/** The menu of a release in the bin. */
export function BinMenu({ release }: { release: BinnedRelease }) {
  const t = useTranslations("bin");
  const router = useRouter();
  const navigate = useNavigate();
  const name = releaseName(release);
  const deletion = useDialog();
  const restore = useOperation("retention/restore-release");
  const empty = useOperation("retention/empty-bin");

  const restoreNow = async () => {
    const result = await restore.run({ id: release.id });
    if (result.ok) {
      const open = () => navigate(releasePath(release.id));
      notify.success(t("restored", { name }), { action: { label: t("open"), onClick: open } });
    }
    // A release that is not there any more was restored or deleted by somebody else.
    if (result.ok || result.problem.code === "not_found") router.refresh();
  };
  const remove = async () => {
    const result = await empty.run({ environmentId: release.environment.id, ids: [release.id] });
    if (result.ok) {
      notify.success(t("removed", { name }));
      router.refresh();
    }
    return result;
  };

  return (
    <>
      <ActionMenu
        name={`${release.displayName} ${name}`}
        actions={[
          { label: t("restore"), icon: <RotateCcw aria-hidden />, onSelect: () => void restoreNow() },
          { label: t("remove"), icon: <Trash2 aria-hidden />, destructive: true, onSelect: deletion.show },
        ]}
      />
      <OpenedDialog state={deletion}>
        {(dialog) => (
          <ConfirmDialogOnDemand
            {...dialog}
            title={t("removeTitle", { name })}
            description={t("removeDescription")}
            confirmLabel={t("remove")}
            typeToConfirm={release.version}
            onConfirm={remove}
          />
        )}
      </OpenedDialog>
    </>
  );
}

export type EmptyBinButtonProps = {
  app: string;
  /** The environments in which the user may delete. */
  environmentIds: readonly string[];
  count: number;
  bytes: number;
};

/** Deletes everything in the bin of an application for good, in the environments where the user may delete. */
export function EmptyBinButton({ app, environmentIds, count, bytes }: EmptyBinButtonProps) {
  const t = useTranslations("bin");
  const router = useRouter();
  const empty = useOperation("retention/empty-bin");
  const emptyAll = async () => {
    for (const environmentId of environmentIds) {
      const result = await empty.run({ environmentId });
      if (!result.ok) {
        router.refresh();
        return result;
      }
    }
    notify.success(t("cleared"));
    router.refresh();
    return { ok: true } as const;
  };
  return (
    <DialogButton
      variant="secondary"
      dialog={(dialog) => (
        <ConfirmDialogOnDemand
          {...dialog}
          title={t("clearTitle", { app })}
          description={t.rich("clearDescription", { count, bytes: () => <Bytes value={bytes} /> })}
          confirmLabel={t("clear")}
          typeToConfirm={app}
          onConfirm={emptyAll}
        />
      )}
    >
      <Trash2 aria-hidden />
      {t("clear")}
    </DialogButton>
  );
}
