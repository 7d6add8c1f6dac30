"use client";

import { useTranslations } from "next-intl";
import { ConfirmDialogOnDemand } from "@/components/common/confirm-dialog-on-demand";
import { lazyDialog } from "@/components/common/lazy-dialog";
import { OpenedDialog } from "@/components/common/opened-dialog";
import { useDeletion } from "@/components/common/use-deletion";
import { type DialogState, useDialog } from "@/components/common/use-dialog";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";
import type { ShareLink } from "@/lib/features/share-links/schema";

const ShareLinkDialog = lazyDialog(() => import("./share-link-dialog").then((file) => file.ShareLinkDialog));

/** The dialogs of a link: its form, and the questions before it is ended and deleted. */
type ShareLinkDialogStates = { edit: DialogState; end: DialogState; deletion: DialogState };

export function useShareLinkDialogs(): ShareLinkDialogStates {
  return { edit: useDialog(), end: useDialog(), deletion: useDialog() };
}

type ShareLinkDialogsProps = {
  link: ShareLink;
  states: ShareLinkDialogStates;
  /** Receives the link after it was edited or ended. */
  onChange: (link: ShareLink) => void;
  onDelete?: () => void;
};

export function ShareLinkDialogs({ link, states, onChange, onDelete }: ShareLinkDialogsProps) {
  const t = useTranslations("shareLinks");
  const { id, name } = link;
  const update = useOperation("share-links/update-share-link");
  const { run: remove } = useDeletion("share-links/delete-share-link", { id }, () => {
    notify.success(t("deleted", { name }));
    onDelete?.();
  });
  const endNow = async () => {
    const result = await update.run({ id, expiresAt: new Date().toISOString() });
    if (result.ok) onChange(result.data);
    return result;
  };
  return (
    <>
      <OpenedDialog state={states.edit}>
        {(dialog) => <ShareLinkDialog link={link} onSaved={onChange} {...dialog} />}
      </OpenedDialog>
      <OpenedDialog state={states.end}>
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
      <OpenedDialog state={states.deletion}>
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
    </>
  );
}
