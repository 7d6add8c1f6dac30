"use client";

import { Ban, Pencil, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { ActionMenu } from "@/components/common/action-menu";
import { ConfirmDialogOnDemand } from "@/components/common/confirm-dialog-on-demand";
import { CopyButton } from "@/components/common/copy-button";
import { lazyDialog } from "@/components/common/lazy-dialog";
import { OpenedDialog } from "@/components/common/opened-dialog";
import { useDeletion } from "@/components/common/use-deletion";
import { useDialog } from "@/components/common/use-dialog";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";
import type { ShareLink } from "@/lib/features/share-links/schema";
import { useShareLink } from "./use-share-link";

const ShareLinkDialog = lazyDialog(() => import("./share-link-dialog").then((file) => file.ShareLinkDialog));

/** The menu of a link in the list. */
export function ShareLinkMenu({ link }: { link: ShareLink }) {
  const t = useTranslations("shareLinks");
  const common = useTranslations("common");
  const router = useRouter();
  const { id, name, ended } = link;
  const url = useShareLink(link.url);
  const [edit, end, deletion] = [useDialog(), useDialog(), useDialog()];
  const update = useOperation("share-links/update-share-link");
  const { run: remove } = useDeletion("share-links/delete-share-link", { id }, () =>
    notify.success(t("deleted", { name })),
  );
  const endNow = async () => {
    const result = await update.run({ id, expiresAt: new Date().toISOString() });
    if (result.ok) router.refresh();
    return result;
  };
  return (
    <span className="flex items-center justify-end">
      <CopyButton value={url} label={name} iconOnly variant="ghost" size="icon-sm" />
      <ActionMenu
        name={name}
        actions={[
          { label: common("edit"), icon: <Pencil aria-hidden />, onSelect: edit.show },
          ...(ended ? [] : [{ label: t("endConfirm"), icon: <Ban aria-hidden />, onSelect: end.show }]),
          {
            label: common("delete"),
            icon: <Trash2 aria-hidden />,
            onSelect: deletion.show,
            destructive: true as const,
          },
        ]}
      />
      <OpenedDialog state={edit}>
        {(dialog) => <ShareLinkDialog link={link} onSaved={() => router.refresh()} {...dialog} />}
      </OpenedDialog>
      <OpenedDialog state={end}>
        {(dialog) => (
          <ConfirmDialogOnDemand
            {...dialog}
            title={t("endTitle", { name })}
            description={t("endDescription")}
            confirmLabel={t("endConfirm")}
            onConfirm={endNow}
          />
        )}
      </OpenedDialog>
      <OpenedDialog state={deletion}>
        {(dialog) => (
          <ConfirmDialogOnDemand
            {...dialog}
            title={t("deleteTitle", { name })}
            description={t("deleteDescription")}
            confirmLabel={t("deleteConfirm")}
            onConfirm={remove}
          />
        )}
      </OpenedDialog>
    </span>
  );
}
