"use client";

import type { InstallerKind } from "@slipway/installers";
import { CircleCheck, Download, FileText, Fingerprint, Info, Plus, TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { ActionMenu } from "@/components/common/action-menu";
import { Bytes } from "@/components/common/bytes";
import { DialogButton } from "@/components/common/dialog-button";
import { Disclosure } from "@/components/common/disclosure";
import { DocsLink } from "@/components/common/docs-link";
import { lazyDialog } from "@/components/common/lazy-dialog";
import { OpenedDialog } from "@/components/common/opened-dialog";
import { RelativeTime } from "@/components/common/relative-time";
import { useDialog } from "@/components/common/use-dialog";
import { useMenuDeletion } from "@/components/common/use-menu-deletion";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import { notify } from "@/lib/client/notify";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { ImageList } from "./image-list";
import { fileDownloadPath, type ShownFile, type ShownFiles } from "./shown-files";

// Loaded when they are opened for the first time, not with the page.
const AddFileDialog = lazyDialog(() => import("./add-file-dialog").then((file) => file.AddFileDialog));
const ImagesDialog = lazyDialog(() => import("./images-dialog").then((file) => file.ImagesDialog));

export type ReleaseFilesCardProps = {
  release: { id: string; name: string; kind: InstallerKind };
  files: ShownFiles;
  rights: { create: boolean; delete: boolean };
};

/** The symbols and further files of a release, and which of its programs have no symbols. */
export function ReleaseFilesCard({ release, files, rights }: ReleaseFilesCardProps) {
  const t = useTranslations("releaseFiles");
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("title")}</CardTitle>
      </CardHeader>
      <CardContent className="flex flex-col items-stretch gap-3">
        {files.symbols && rights.create && (
          <Missing symbols={files.symbols} hasSymbols={files.items.some(({ kind }) => kind === "dsym")} />
        )}
        {files.items.length === 0 ? (
          <p className="text-pretty text-muted-foreground">{t(release.kind === "ipa" ? "noneIos" : "noneAndroid")}</p>
        ) : (
          <ul className="flex flex-col divide-y divide-border">
            {files.items.map((file) => (
              <Item key={file.id} file={file} mayDelete={rights.delete} />
            ))}
          </ul>
        )}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          {rights.create && (
            <DialogButton
              variant="secondary"
              size="sm"
              dialog={(dialog) => <AddFileDialog release={release} {...dialog} />}
            >
              <Plus aria-hidden />
              {t("add")}
            </DialogButton>
          )}
          <DocsLink href={`${PAGES.docs}/symbols`} />
        </div>
      </CardContent>
    </Card>
  );
}

/** Which programs have no symbols. It is a warning once somebody has added some. */
function Missing({ symbols, hasSymbols }: { symbols: NonNullable<ShownFiles["symbols"]>; hasSymbols: boolean }) {
  const t = useTranslations("releaseFiles");
  const { state, programs, missing, missingItems } = symbols;
  const isComplete = state === "known" && missing === 0 && programs > 0;
  const isMissing = state === "known" && missing > 0;
  const isWarning = isMissing && hasSymbols;
  const Icon = isComplete ? CircleCheck : isWarning ? TriangleAlert : Info;
  const color = isComplete ? "text-success" : isWarning ? "text-warning" : "text-muted-foreground";
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <p className="flex items-start gap-2.5">
        <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${color}`} />
        <span className="text-pretty">
          {state !== "known" && t(state)}
          {state === "known" && programs === 0 && t("noPrograms")}
          {isComplete && t("complete", { count: programs })}
          {isMissing && t("missing", { missing, programs })}
        </span>
      </p>
      {isMissing && (
        <Disclosure summary={t("showMissing")} className="pl-6.5">
          <ImageList images={missingItems} total={missing} />
        </Disclosure>
      )}
    </div>
  );
}

function Item({ file, mayDelete }: { file: ShownFile; mayDelete: boolean }) {
  const t = useTranslations("releaseFiles");
  const { id, name, kind, size, createdAt, mayDownload, symbols } = file;
  const images = useDialog();
  const deletion = useMenuDeletion(
    "apps/delete-release-file",
    { id },
    { title: t("deleteTitle", { name }), description: t("deleteDescription") },
    () => notify.success(t("deleted")),
  );
  const download = () => {
    const link = document.createElement("a");
    link.href = fileDownloadPath(id);
    link.download = "";
    link.click();
  };
  const actions = [
    ...(mayDownload ? [{ label: t("download"), icon: <Download aria-hidden />, onSelect: download }] : []),
    ...(symbols ? [{ label: t("showUuids"), icon: <Fingerprint aria-hidden />, onSelect: images.show }] : []),
    ...(mayDelete ? [deletion.action] : []),
  ];
  const Icon = kind === "dsym" ? Fingerprint : FileText;
  return (
    <li className="flex items-start gap-2.5 py-2.5 first:pt-0 last:pb-0">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <p className="break-all leading-5">
          {mayDownload ? (
            <a
              href={fileDownloadPath(id)}
              download
              className="inline-block min-h-6 text-link leading-6 underline-offset-4 hover:underline"
            >
              {name}
            </a>
          ) : (
            name
          )}
        </p>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-muted-foreground text-xs leading-4.5">
          <span>{t(`kind.${kind}`)}</span>
          <Bytes value={size} />
          <Facts file={file} />
          <RelativeTime date={createdAt} />
        </p>
      </div>
      {actions.length > 0 && <ActionMenu name={name} actions={actions} />}
      <OpenedDialog state={images}>
        {(dialog) => symbols && <ImagesDialog name={name} symbols={symbols} {...dialog} />}
      </OpenedDialog>
      {deletion.dialog}
    </li>
  );
}

/** What was read of a file: how many of its UUIDs belong to the build, or what its header says. */
function Facts({ file: { symbols, mapping } }: { file: ShownFile }) {
  const t = useTranslations("releaseFiles");
  if (symbols) {
    const { images, matched } = symbols;
    return <span>{matched === null ? t("uuids", { count: images }) : t("matched", { matched, count: images })}</span>;
  }
  if (!mapping?.compiler && !mapping?.mapId) return null;
  return (
    <span className="break-all font-mono">
      {[[mapping.compiler, mapping.compilerVersion].filter(Boolean).join(" "), mapping.mapId]
        .filter(Boolean)
        .join(" · ")}
    </span>
  );
}
