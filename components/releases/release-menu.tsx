"use client";

import { Download, Link2, Pencil, QrCode, SquareArrowOutUpRight, Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { ActionMenu } from "@/components/common/action-menu";
import { lazyDialog } from "@/components/common/lazy-dialog";
import type { MenuItem } from "@/components/common/menu";
import { OpenedDialog } from "@/components/common/opened-dialog";
import { releaseName } from "@/components/common/release-name";
import { useDialog } from "@/components/common/use-dialog";
import { writeClipboardText } from "@/components/common/write-clipboard";
import { notify } from "@/lib/client/notify";
import { releasePath } from "@/lib/kernel/navigation/pages";
import { startDownload } from "./download";
import type { ReleaseRights, ReleaseSummary } from "./release-summary";
import { shareLink } from "./share-link";

// Loaded when they are opened for the first time, not with the list.
const ShareDialog = lazyDialog(() => import("./share-dialog").then((module) => module.ShareDialog));
const EditReleaseDialog = lazyDialog(() => import("./edit-release-dialog").then((module) => module.EditReleaseDialog));
const DeleteReleaseDialog = lazyDialog(() =>
  import("./delete-release-dialog").then((module) => module.DeleteReleaseDialog),
);

export type ReleaseMenuProps = {
  release: ReleaseSummary;
  rights: Pick<ReleaseRights, "download" | "update" | "delete">;
  /** Set on the release's own page: the page to open after the release was deleted. */
  listHref?: string;
};

/** The menu with everything that the user may do with a release. */
export function ReleaseMenu({ release, rights, listHref }: ReleaseMenuProps) {
  const t = useTranslations("releases");
  const copy = useTranslations("common.copy");
  const share = useDialog();
  const edit = useDialog();
  const remove = useDialog();
  const onReleasePage = listHref !== undefined;

  const copyLink = async () => {
    try {
      await writeClipboardText(shareLink(release.installUrl, window.location.origin));
      notify.success(t("menu.linkCopied"));
    } catch {
      notify.error(copy("failedTitle"), { description: copy("failedDescription") });
    }
  };

  const actions: MenuItem[] = [
    ...(onReleasePage
      ? []
      : [{ label: t("menu.open"), icon: <SquareArrowOutUpRight aria-hidden />, href: releasePath(release.id) }]),
    ...(rights.update ? [{ label: t("menu.edit"), icon: <Pencil aria-hidden />, onSelect: edit.show }] : []),
    ...(rights.download
      ? [{ label: t("menu.download"), icon: <Download aria-hidden />, onSelect: () => startDownload(release.id) }]
      : []),
    { label: t("menu.copyLink"), icon: <Link2 aria-hidden />, onSelect: () => void copyLink() },
    { label: t("menu.qr"), icon: <QrCode aria-hidden />, onSelect: share.show },
    ...(rights.delete
      ? [{ label: t("menu.delete"), icon: <Trash2 aria-hidden />, destructive: true, onSelect: remove.show }]
      : []),
  ];

  return (
    <>
      <ActionMenu name={releaseName(release)} actions={actions} />
      <OpenedDialog state={share}>{(dialog) => <ShareDialog release={release} {...dialog} />}</OpenedDialog>
      <OpenedDialog state={edit}>{(dialog) => <EditReleaseDialog release={release} {...dialog} />}</OpenedDialog>
      <OpenedDialog state={remove}>
        {(dialog) => <DeleteReleaseDialog release={release} listHref={listHref} {...dialog} />}
      </OpenedDialog>
    </>
  );
}
