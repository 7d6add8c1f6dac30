"use client";

import { useTranslations } from "next-intl";
import type { RefObject } from "react";
import { CopyButton } from "@/components/common/copy-button";
import { CopyField } from "@/components/common/copy-field";
import { DocsLink } from "@/components/common/docs-link";
import { LoopbackNotice } from "@/components/common/loopback-notice";
import { useUnsavedWork } from "@/components/common/use-unsaved-work";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogBody,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from "@/components/ui/dialog";
import type { OperationOutput } from "@/lib/client/operation-types";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { publishCommand, readCommand } from "./example-command";

export type NewTokenDialogProps = {
  /** The response of create-api-token and the identifier of its app; null closes the dialog. */
  created: { token: OperationOutput<"config/create-api-token">; appIdentifier: string } | null;
  onClose: () => void;
  /** Receives the focus when the dialog closes. */
  opener: RefObject<HTMLElement | null>;
};

/**
 * Shows a new token once, with a command that uses it. Only its button closes the dialog, so it is not closed by
 * accident.
 */
export function NewTokenDialog({ created, onClose, opener }: NewTokenDialogProps) {
  const t = useTranslations("apiTokens");
  useUnsavedWork(created !== null);
  if (!created) return null;
  const { token, appIdentifier } = created;
  const publishes = token.scopes.includes("release:create");
  const command = (publishes ? publishCommand : readCommand)({
    origin: window.location.origin,
    token: token.token,
    appIdentifier,
    environment: token.environment,
    identifiers: token.identifiers.includes("server") ? [] : token.identifiers,
    description: t("exampleDescription"),
  });
  const keepOpen = (event: Event) => event.preventDefault();
  const returnFocus = (event: Event) => {
    event.preventDefault();
    opener.current?.focus();
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent size="lg" onInteractOutside={keepOpen} onEscapeKeyDown={keepOpen} onCloseAutoFocus={returnFocus}>
        <DialogHeader>
          <DialogTitle>{t("newTitle", { name: token.name })}</DialogTitle>
          <DialogDescription>
            {t("newDescription", { app: token.app.name, environment: token.environment.name })}
          </DialogDescription>
        </DialogHeader>
        <DialogBody className="flex flex-col gap-5 pb-5">
          <Alert tone="warning" title={t("onceTitle")}>
            {t("onceDescription")}
          </Alert>
          <CopyField label={t("token")} value={token.token} />
          <div className="flex min-w-0 flex-col gap-1.5">
            <div className="flex items-center justify-between gap-3">
              <span className="font-medium">{t(publishes ? "publishExample" : "readExample")}</span>
              <CopyButton value={command} label={t("command")} iconOnly />
            </div>
            <section
              aria-label={t("command")}
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
              tabIndex={0}
              className="overflow-x-auto rounded-lg border border-border bg-muted px-3 py-2.5"
            >
              <pre className="w-fit font-mono text-[0.8125rem] leading-5">{command}</pre>
            </section>
          </div>
          <LoopbackNotice link={window.location.origin} reader="computer" />
          <DocsLink href={publishes ? `${PAGES.docs}/ci` : `${PAGES.docs}/clients`} />
        </DialogBody>
        <DialogFooter>
          <Button onClick={onClose}>{t("saved")}</Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
