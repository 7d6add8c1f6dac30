"use client";

import {
  ArrowUpFromLine,
  Download,
  Ellipsis,
  FileDown,
  Link2,
  Pencil,
  Pin,
  PinOff,
  Share2,
  Split,
  SquareArrowOutUpRight,
  Trash2,
} from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { lazyDialog } from "@/components/common/lazy-dialog";
import { Menu, type MenuItem } from "@/components/common/menu";
import { OpenedDialog } from "@/components/common/opened-dialog";
import { releaseName } from "@/components/common/releases/release-name";
import { useRequestedDialog } from "@/components/common/requested-dialog";
import { RowButton } from "@/components/common/row-button";
import { useDialog } from "@/components/common/use-dialog";
import { writeClipboardText } from "@/components/common/write-clipboard";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";
import { releasePath } from "@/lib/kernel/navigation/pages";
import { startDownload } from "./installing/download";
import type { ReleaseRights, ReleaseSummary } from "./release-summary";
import { shareLink } from "./sharing/share-link";

// Loaded when they are opened for the first time, not with the list.
const ShareDialog = lazyDialog(() => import("./sharing/share-dialog").then((module) => module.ShareDialog));
const EditReleaseDialog = lazyDialog(() =>
  import("./publishing/edit-release-dialog").then((module) => module.EditReleaseDialog),
);
const StartBisectDialog = lazyDialog(() =>
  import("./bisects/start-bisect-dialog").then((module) => module.StartBisectDialog),
);
const PromoteDialog = lazyDialog(() => import("./publishing/promote-dialog").then((module) => module.PromoteDialog));
const DeleteReleaseDialog = lazyDialog(() =>
  import("./delete-release-dialog").then((module) => module.DeleteReleaseDialog),
);

/** A file of a build, and what the user may do with it. */
type BuildEntry = {
  release: ReleaseSummary;
  rights: Pick<ReleaseRights, "download" | "update" | "delete">;
};

export type BuildMenuProps = {
  /** The releases of one build, at least one. The actions of the build use the first one. */
  entries: readonly BuildEntry[];
  /** Whether the user may publish in some environment. */
  mayPromote: boolean;
  /** Set on the build's own page: the page to open after all of it was deleted. */
  listHref?: string;
};

/** The menu of a build: what concerns all of it, and a menu for each of its files. */
export function BuildMenu({ entries, mayPromote, listHref }: BuildMenuProps) {
  const t = useTranslations("releases");
  const common = useTranslations("common");
  const bisects = useTranslations("bisects");
  const [selected, setSelected] = useState(entries[0] as BuildEntry);
  const share = useDialog();
  const edit = useDialog();
  const remove = useDialog();
  const promote = useDialog();
  const bisect = useDialog();
  useRequestedDialog(listHref === undefined ? undefined : "promote", promote);
  const router = useRouter();
  const update = useOperation("apps/update-testing-deploy");
  const onReleasePage = listHref !== undefined;
  const lead = entries[0] as BuildEntry;
  const files = entries.map(({ release }) => release);
  // The menu offers it to those who may. An address may still ask for the dialog, which then says what is missing.
  const lacks = lead.rights.download ? (mayPromote ? undefined : "create") : "download";

  const copyLink = async ({ installUrl }: ReleaseSummary) => {
    try {
      await writeClipboardText(shareLink(installUrl, window.location.origin));
      notify.success(t("menu.linkCopied"));
    } catch {
      notify.error(common("copy.failedTitle"), { description: common("copy.failedDescription") });
    }
  };

  const setKept = async (one: ReleaseSummary, keep: boolean) => {
    const result = await update.run({ id: one.id, keep });
    if (!result.ok) return;
    notify.success(t(keep ? "menu.kept" : "menu.notKept", { name: releaseName(one) }));
    router.refresh();
  };

  const fileActions = (entry: BuildEntry): MenuItem[] => {
    const { release: one, rights } = entry;
    const opens = (dialog: typeof share) => () => {
      setSelected(entry);
      dialog.show();
    };
    return [
      ...(rights.download
        ? [{ label: t("menu.download"), icon: <Download aria-hidden />, onSelect: () => startDownload(one.id) }]
        : []),
      ...(rights.update
        ? [
            { label: t("menu.edit"), icon: <Pencil aria-hidden />, onSelect: opens(edit) },
            {
              label: t(one.keep ? "menu.release" : "menu.keep"),
              icon: one.keep ? <PinOff aria-hidden /> : <Pin aria-hidden />,
              onSelect: () => void setKept(one, !one.keep),
            },
          ]
        : []),
      { label: bisects("title"), icon: <Split aria-hidden />, onSelect: opens(bisect) },
      ...(rights.delete
        ? [{ label: t("menu.delete"), icon: <Trash2 aria-hidden />, destructive: true, onSelect: opens(remove) }]
        : []),
    ];
  };

  const buildActions: MenuItem[] = [
    ...(onReleasePage
      ? []
      : [{ label: t("menu.open"), icon: <SquareArrowOutUpRight aria-hidden />, href: releasePath(lead.release.id) }]),
    ...(lacks === undefined
      ? [{ label: t("menu.promote"), icon: <ArrowUpFromLine aria-hidden />, onSelect: promote.show }]
      : []),
    { label: t("menu.copyLink"), icon: <Link2 aria-hidden />, onSelect: () => void copyLink(lead.release) },
    { label: t("share.action"), icon: <Share2 aria-hidden />, onSelect: share.show },
  ];
  const perFile = entries.map((entry) => ({
    label: entry.release.fileLabel,
    icon: <FileDown aria-hidden />,
    items: fileActions(entry),
  }));
  const sections =
    entries.length === 1
      ? [{ items: [...buildActions, ...fileActions(lead)] }]
      : [{ items: buildActions }, { label: t("sameBuild"), items: perFile.filter(({ items }) => items.length > 0) }];

  return (
    <>
      <Menu
        align="end"
        className="max-h-[min(32rem,70vh)]"
        sections={sections.filter(({ items }) => items.length > 0)}
        trigger={
          <RowButton
            label={common("moreActionsFor", { name: releaseName(lead.release) })}
            icon={<Ellipsis aria-hidden />}
          />
        }
      />
      <OpenedDialog state={share}>
        {(dialog) => <ShareDialog release={lead.release} mayUpdate={lead.rights.update} {...dialog} />}
      </OpenedDialog>
      <OpenedDialog state={edit}>
        {(dialog) => <EditReleaseDialog release={selected.release} {...dialog} />}
      </OpenedDialog>
      <OpenedDialog state={bisect}>
        {(dialog) => <StartBisectDialog release={selected.release} {...dialog} />}
      </OpenedDialog>
      <OpenedDialog state={promote}>
        {(dialog) => <PromoteDialog files={files} lacks={lacks} {...dialog} />}
      </OpenedDialog>
      <OpenedDialog state={remove}>
        {(dialog) => <DeleteReleaseDialog release={selected.release} files={files} listHref={listHref} {...dialog} />}
      </OpenedDialog>
    </>
  );
}
