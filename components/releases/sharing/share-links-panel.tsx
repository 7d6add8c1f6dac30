"use client";

import { Ban, KeyRound, LinkIcon, Pencil, Plus, QrCode as QrIcon, Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { useCallback, useState } from "react";
import { CopyButton } from "@/components/common/copy-button";
import { EmptyState } from "@/components/common/empty-state";
import { ErrorState } from "@/components/common/error-state";
import { HoverLink } from "@/components/common/hover-link";
import { LoopbackNotice } from "@/components/common/loopback-notice";
import { OpenedDialog } from "@/components/common/opened-dialog";
import { QrCode } from "@/components/common/qr-code";
import { RowButton } from "@/components/common/row-button";
import { useAnswer } from "@/components/common/use-answer";
import { useDialog } from "@/components/common/use-dialog";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import type { ShareLink } from "@/lib/features/share-links/schema";
import { shareLinksPath } from "@/lib/kernel/navigation/pages";
import type { ReleaseSummary } from "../release-summary";
import { ShareLinkDialog } from "./share-link-dialog";
import { ShareLinkDialogs, useShareLinkDialogs } from "./share-link-dialogs";
import { useShareLink } from "./use-share-link";

/** An environment has few links; the API has the others. */
const SHOWN = 100;

function useLinks(environmentId: string) {
  const { answer, setAnswer, retry } = useAnswer("share-links/get-share-links", { environmentId, limit: SHOWN });
  const put = useCallback(
    (link: ShareLink) =>
      setAnswer((current) => {
        if (current === null || current === "failed") return current;
        const { items } = current;
        const isKnown = items.some(({ id }) => id === link.id);
        return {
          ...current,
          items: isKnown ? items.map((one) => (one.id === link.id ? link : one)) : [link, ...items],
        };
      }),
    [setAnswer],
  );
  return { answer, links: answer === "failed" ? undefined : answer?.items, reload: retry, put };
}

/** The links of an environment that need no account: for the release of the dialog, for others, and for the latest one. */
export function ShareLinksPanel({ release }: { release: ReleaseSummary }) {
  const t = useTranslations("shareLinks");
  const { answer, links, reload, put } = useLinks(release.environmentId);
  const create = useDialog();
  const createButton = (
    <Button onClick={create.show} loading={create.pending} className="w-fit">
      <Plus aria-hidden />
      {t("create")}
    </Button>
  );
  return (
    <div className="flex flex-col gap-4">
      <p className="text-pretty text-muted-foreground leading-5">{t("description")}</p>
      {answer === null && <Skeleton className="h-24 w-full" />}
      {answer === "failed" && <ErrorState onRetry={reload} />}
      {links?.length === 0 && (
        <EmptyState icon={<LinkIcon />} title={t("empty")} description={t("emptyHint")} action={createButton} />
      )}
      {links && links.length > 0 && (
        <>
          {createButton}
          <HoverLink
            href={shareLinksPath(links[0]?.app.id ?? "")}
            className="inline-flex min-h-6 items-center self-start text-link underline-offset-4 hover:underline"
          >
            {t("allOfApp")}
          </HoverLink>
          <ul className="flex flex-col gap-3">
            {links.map((link) => (
              <LinkItem key={link.id} link={link} onChange={put} onDelete={reload} />
            ))}
          </ul>
        </>
      )}
      <OpenedDialog state={create}>
        {(dialog) => <ShareLinkDialog release={release} onSaved={put} {...dialog} />}
      </OpenedDialog>
    </div>
  );
}

type LinkItemProps = {
  link: ShareLink;
  onChange: (link: ShareLink) => void;
  onDelete: () => void;
};

function LinkItem({ link, onChange, onDelete }: LinkItemProps) {
  const t = useTranslations("shareLinks");
  const { name, opened, installed, ended } = link;
  const url = useShareLink(link.url);
  const [isCodeShown, setCodeShown] = useState(false);
  const states = useShareLinkDialogs();

  return (
    <li className="flex flex-col gap-2 rounded-lg border border-border p-3">
      <div className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 break-words font-medium">{name}</span>
        {link.hasPassword && (
          <KeyRound aria-label={t("hasPassword")} role="img" className="size-4 text-muted-foreground" />
        )}
        {ended && <Badge tone="warning">{t(`ended.${ended}`)}</Badge>}
      </div>
      <p className="text-muted-foreground text-xs leading-4.5">
        {link.release ? `${link.release.version} (${link.release.buildNumber})` : link.followsLatest && t("latest")}
        {" · "}
        {t("opened", { count: opened })}
        {" · "}
        {link.maxInstalls === null
          ? t("installed", { count: installed })
          : t("installedOf", { count: installed, limit: link.maxInstalls })}
      </p>
      <div className="flex flex-wrap items-center gap-1">
        <CopyButton value={url} label={name} iconOnly />
        <RowButton
          label={t("code", { name })}
          icon={<QrIcon aria-hidden />}
          aria-expanded={isCodeShown}
          onClick={() => setCodeShown(!isCodeShown)}
        />
        <RowButton label={t("edit", { name })} icon={<Pencil aria-hidden />} onClick={states.edit.show} />
        {!ended && <RowButton label={t("end", { name })} icon={<Ban aria-hidden />} onClick={states.end.show} />}
        <RowButton
          label={t("delete", { name })}
          icon={<Trash2 aria-hidden />}
          destructive
          onClick={states.deletion.show}
        />
      </div>
      {isCodeShown && (
        <>
          <QrCode value={url} label={t("qr", { name })} className="w-44 self-center" />
          <LoopbackNotice link={url} />
        </>
      )}
      <ShareLinkDialogs link={link} states={states} onChange={onChange} onDelete={onDelete} />
    </li>
  );
}
