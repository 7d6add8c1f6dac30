"use client";

import { CircleCheck, TriangleAlert, X } from "lucide-react";
import { usePathname, useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useState, useTransition } from "react";
import { lazyDialog } from "@/components/common/lazy-dialog";
import { LinkButton } from "@/components/common/link-button";
import { OpenedDialog } from "@/components/common/opened-dialog";
import { releaseName } from "@/components/common/releases/release-name";
import { useStore } from "@/components/common/store";
import { useUploadGuard } from "@/components/common/upload/use-upload-guard";
import { useDialog } from "@/components/common/use-dialog";
import { Avatar } from "@/components/ui/avatar";
import { Button } from "@/components/ui/button";
import { releasePath } from "@/lib/kernel/navigation/pages";
import { isRunning, type Publication, type PublicationState } from "./publication";
import { PublicationProgress } from "./publication-progress";
import { publications, removePublication } from "./publications";
import { useFailureTexts } from "./use-failure-texts";
import { usePublication } from "./use-publication";

const CreateReleaseDialog = lazyDialog(() =>
  import("./create-release-dialog").then((module) => module.CreateReleaseDialog),
);

/**
 * The publications that no dialog shows, each with its progress or result. The dialog that it opens is not part of one of them, because
 * it outlives its publication: another file or environment makes another one.
 */
export function PublishingPanel() {
  const t = useTranslations("upload.panel");
  const list = useStore(publications, (current) => current);
  const { show, ...dialog } = useDialog();
  const [opened, setOpened] = useState<Publication | null>(null);
  useClosingWithPage(dialog.onOpenChange);
  const open = useCallback(
    (publication: Publication) => {
      setOpened(publication);
      show();
    },
    [show],
  );
  return (
    <>
      {list.length > 0 && (
        <section
          aria-label={t("title")}
          className="fixed right-4 bottom-4 z-40 flex w-92 max-w-[calc(100vw-2rem)] flex-col gap-3 max-lg:bottom-20"
        >
          {list.map((publication) => (
            <Item key={publication.id} publication={publication} onOpen={open} />
          ))}
        </section>
      )}
      <OpenedDialog state={{ ...dialog, show }}>
        {(props) => opened && <CreateReleaseDialog place={null} firstFile={null} publication={opened} {...props} />}
      </OpenedDialog>
    </>
  );
}

type ItemProps = { publication: Publication; onOpen: (publication: Publication) => void };

function Item({ publication, onOpen }: ItemProps) {
  const t = useTranslations("upload");
  const state = usePublication(publication) as PublicationState;
  const isShown = useStore(publication.shown, (shown) => shown);
  const [opening, startOpening] = useTransition();
  useUploadGuard(isRunning(state));
  useRemovalOnItsPage(publication, state);
  const { installer, iconUrl } = publication.reading;
  const name = releaseName(installer);
  if (isShown) return null;
  return (
    <div className="flex animate-fade-in flex-col gap-3 rounded-lg border border-border bg-popover p-3.5 text-popover-foreground shadow-lg">
      <div className="flex items-center gap-2.5">
        <Avatar shape="square" name={installer.displayName} src={iconUrl} className="size-8" />
        <p className="flex min-w-0 flex-1 flex-col leading-4.5">
          <span className="truncate font-medium">{installer.displayName}</span>
          <span className="truncate font-mono text-muted-foreground text-xs">{name}</span>
        </p>
        <Button variant="secondary" size="sm" onClick={() => startOpening(() => onOpen(publication))} loading={opening}>
          {t("panel.open")}
          <span className="sr-only"> {name}</span>
        </Button>
        {!isRunning(state) && state.phase === "published" && (
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={t("panel.dismiss")}
            onClick={() => removePublication(publication)}
          >
            <X aria-hidden />
          </Button>
        )}
      </div>
      <Result publication={publication} state={state} />
    </div>
  );
}

/** The progress, or what came of it. */
function Result({ publication, state }: { publication: Publication; state: PublicationState }) {
  const t = useTranslations("upload");
  const explain = useFailureTexts();
  if (isRunning(state)) {
    return (
      <>
        <PublicationProgress publication={publication} state={state} />
        <p className="text-muted-foreground text-xs leading-4.5">{t("panel.stay")}</p>
      </>
    );
  }
  if (state.phase === "published") {
    return (
      <div className="flex items-center justify-between gap-3">
        <p role="status" className="flex min-w-0 items-center gap-2">
          <CircleCheck aria-hidden className="size-4 shrink-0 text-success" />
          {t(state.release.repeated ? "panel.repeated" : "panel.published")}
        </p>
        <LinkButton href={releasePath(state.release.id)} variant="secondary" size="sm">
          {t("openRelease")}
        </LinkButton>
      </div>
    );
  }
  const { message, fields } = state.phase === "failed" ? explain(state) : { message: t("panel.invalid"), fields: [] };
  return (
    <div role="alert" className="flex items-start gap-2">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        <p className="text-pretty break-words leading-5">{message ?? fields[0]?.message}</p>
        {state.phase === "failed" && (
          <Button variant="secondary" size="sm" className="self-start" onClick={() => void publication.run()}>
            {t("panel.tryAgain")}
          </Button>
        )}
      </div>
    </div>
  );
}

/** The page that is shown, as `releasePath` names that of a release. */
function useShownPage(): string {
  return `${usePathname()}?id=${useSearchParams().get("id")}`;
}

/** Removes a publication on the page of its release, which shows the same. */
function useRemovalOnItsPage(publication: Publication, state: PublicationState): void {
  const page = useShownPage();
  const isShownByPage = state.phase === "published" && page === releasePath(state.release.id);
  useEffect(() => {
    if (isShownByPage) removePublication(publication);
  }, [isShownByPage, publication]);
}

/** Closes the dialog when another page is shown, for example that of the release that it published. */
function useClosingWithPage(onOpenChange: (open: boolean) => void): void {
  const page = useShownPage();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is closed when the page changes
  useEffect(() => () => onOpenChange(false), [page, onOpenChange]);
}
