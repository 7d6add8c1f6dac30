"use client";

import { Download, Ellipsis, Link2, Pencil, QrCode, SquareArrowOutUpRight, Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { lazyDialog } from "@/components/common/lazy-dialog";
import { Menu, type MenuItem } from "@/components/common/menu";
import { OpenedDialog } from "@/components/common/opened-dialog";
import { releaseName } from "@/components/common/release-name";
import { RowButton } from "@/components/common/row-button";
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

type MenuEntry = {
  release: ReleaseSummary;
  rights: Pick<ReleaseRights, "download" | "update" | "delete">;
};

export type ReleaseMenuProps = MenuEntry & {
  /** Set on the release's own page: the page to open after the release was deleted. */
  listHref?: string;
};

/** The menu with everything that the user may do with a release. */
export function ReleaseMenu({ listHref, ...entry }: ReleaseMenuProps) {
  return <ReleasesMenu entries={[{ ...entry, label: "" }]} listHref={listHref} />;
}

export type ReleasesMenuProps = Pick<ReleaseMenuProps, "listHref"> & {
  /** The releases of one version, each with the name of its installer. */
  entries: readonly (MenuEntry & { label: string })[];
};

/** The menu of the releases of one version, with a section for each of them. */
export function ReleasesMenu({ entries, listHref }: ReleasesMenuProps) {
  const t = useTranslations("releases");
  const common = useTranslations("common");
  const [selected, setSelected] = useState(entries[0] as MenuEntry);
  const share = useDialog();
  const edit = useDialog();
  const remove = useDialog();
  const onReleasePage = listHref !== undefined;
  const { release } = selected;

  const copyLink = async ({ installUrl }: ReleaseSummary) => {
    try {
      await writeClipboardText(shareLink(installUrl, window.location.origin));
      notify.success(t("menu.linkCopied"));
    } catch {
      notify.error(common("copy.failedTitle"), { description: common("copy.failedDescription") });
    }
  };

  const actionsOf = (entry: MenuEntry): MenuItem[] => {
    const { release: one, rights } = entry;
    const opens = (dialog: typeof share) => () => {
      setSelected(entry);
      dialog.show();
    };
    return [
      ...(onReleasePage
        ? []
        : [{ label: t("menu.open"), icon: <SquareArrowOutUpRight aria-hidden />, href: releasePath(one.id) }]),
      ...(rights.update ? [{ label: t("menu.edit"), icon: <Pencil aria-hidden />, onSelect: opens(edit) }] : []),
      ...(rights.download
        ? [{ label: t("menu.download"), icon: <Download aria-hidden />, onSelect: () => startDownload(one.id) }]
        : []),
      { label: t("menu.copyLink"), icon: <Link2 aria-hidden />, onSelect: () => void copyLink(one) },
      { label: t("menu.qr"), icon: <QrCode aria-hidden />, onSelect: opens(share) },
      ...(rights.delete
        ? [{ label: t("menu.delete"), icon: <Trash2 aria-hidden />, destructive: true, onSelect: opens(remove) }]
        : []),
    ];
  };

  return (
    <>
      <Menu
        align="end"
        className="max-h-[min(32rem,70vh)]"
        sections={entries.map((entry) => ({
          label: entries.length > 1 ? entry.label : undefined,
          items: actionsOf(entry),
        }))}
        trigger={
          <RowButton label={common("moreActionsFor", { name: releaseName(release) })} icon={<Ellipsis aria-hidden />} />
        }
      />
      <OpenedDialog state={share}>
        {(dialog) => <ShareDialog release={release} mayUpdate={selected.rights.update} {...dialog} />}
      </OpenedDialog>
      <OpenedDialog state={edit}>{(dialog) => <EditReleaseDialog release={release} {...dialog} />}</OpenedDialog>
      <OpenedDialog state={remove}>
        {(dialog) => <DeleteReleaseDialog release={release} listHref={listHref} {...dialog} />}
      </OpenedDialog>
    </>
  );
}
