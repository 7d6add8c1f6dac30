"use client";

import { fileNameError, INSTALLER_KINDS, InstallerError } from "@slipway/installers";
import { CircleCheck } from "lucide-react";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { ConfirmDialog } from "@/components/common/confirm-dialog";
import { FileDrop } from "@/components/common/file-drop";
import { Form } from "@/components/common/form/form";
import { usePendingInput } from "@/components/common/form/pending-input";
import { LinkButton } from "@/components/common/link-button";
import { releaseName } from "@/components/common/releases/release-name";
import { useUnsavedInput } from "@/components/common/unsaved-input";
import type { DialogProps } from "@/components/common/use-dialog";
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
import { Spinner } from "@/components/ui/spinner";
import { notify } from "@/lib/client/notify";
import type { PublishedRelease } from "@/lib/features/releases/schema";
import type { LooseTranslator } from "@/lib/kernel/i18n/translator";
import { releasePath } from "@/lib/kernel/navigation/pages";
import { releaseSummary } from "../release-summary";
import { ShareChoices } from "../sharing/share-choices";
import { CreateReleaseFields } from "./create-release-fields";
import { InstallerPreview } from "./installer-preview";
import { PlaceFields } from "./place-fields";
import type { Publication, PublicationState } from "./publication";
import { PublicationProgress } from "./publication-progress";
import { removeDraft } from "./release-draft";
import { NEW } from "./release-values";
import { RuleViolations } from "./rule-violations";
import { UnfinishedUploads } from "./unfinished-uploads";
import type { InstallerReading } from "./use-installer-reading";
import { fittingPlatforms, type Publishing, type PublishingOptions, usePublishing } from "./use-publishing";

export type CreateReleaseDialogProps = DialogProps &
  PublishingOptions & {
    /** Starts another upload. */
    onAnother?: () => void;
  };

/**
 * Publishes a release. During the upload the form can be changed, and the dialog can be closed: the upload then continues. A failure
 * at any point keeps the form.
 */
export function CreateReleaseDialog(props: CreateReleaseDialogProps) {
  const { open, onOpenChange, onAnother } = props;
  const t = useTranslations("upload");
  const common = useTranslations("common");
  const formId = useId();
  const publishing = usePublishing(props);
  const { place, form, reading, ready, current, publish, forget } = publishing;
  const [confirmingClose, setConfirmingClose] = useState(false);
  const { isDirty } = form.formState;
  const state = current?.state;
  const isWaiting = usePendingInput(form.control);
  const isUnsaved = isDirty || reading.status === "read";
  useUnsavedInput(open && isUnsaved && state?.phase !== "published");

  const close = () => {
    current?.publication.leave();
    forget();
    removeDraft(place?.environment.id ?? NEW);
    onOpenChange(false);
  };

  const requestClose = () => {
    const isPublished = state?.phase === "published";
    if (isPublished) forget();
    if (isPublished || current?.isRunning || !isUnsaved) onOpenChange(false);
    else setConfirmingClose(true);
  };

  const another = () => {
    forget();
    onAnother?.();
  };

  return (
    <Dialog open={open} onOpenChange={(next) => (next ? onOpenChange(true) : requestClose())}>
      <DialogContent size="lg">
        {state?.phase === "published" ? (
          <Published release={state.release} onAnother={onAnother && another} />
        ) : (
          <>
            <DialogHeader>
              <DialogTitle>{t("title")}</DialogTitle>
              <DialogDescription>
                {place ? t("description", { environment: place.environment.name }) : t("descriptionAnywhere")}
              </DialogDescription>
            </DialogHeader>
            <DialogBody>
              <Form id={formId} form={form} onSubmit={publish} className="gap-4 pt-1 pb-4">
                {ready ? (
                  <ReleaseFields publishing={publishing} ready={ready} />
                ) : (
                  <FileField publishing={publishing} />
                )}
              </Form>
            </DialogBody>
            {current?.isRunning && (
              <div className="border-border border-t bg-muted/50 px-5 py-3.5">
                <PublicationProgress publication={current.publication} state={current.state} />
              </div>
            )}
            <DialogFooter>
              {current?.isRunning ? (
                <>
                  <Button
                    variant="secondary"
                    onClick={() => current.publication.cancel()}
                    disabled={current.state.phase === "adding"}
                  >
                    {t("cancel")}
                  </Button>
                  <Button variant="secondary" onClick={requestClose}>
                    {t("background")}
                  </Button>
                </>
              ) : (
                <>
                  <Button variant="secondary" onClick={requestClose}>
                    {common("cancel")}
                  </Button>
                  <Button type="submit" form={formId} loading={isWaiting} disabled={!ready}>
                    {t("submit")}
                  </Button>
                </>
              )}
            </DialogFooter>
          </>
        )}
        <ConfirmDialog
          open={confirmingClose}
          onOpenChange={setConfirmingClose}
          title={common("discard.title")}
          description={common("discard.description")}
          cancelLabel={common("discard.keep")}
          confirmLabel={common("discard.confirm")}
          onConfirm={close}
        />
      </DialogContent>
    </Dialog>
  );
}

/** Says why the name of a file is not that of an installer. */
function useNameProblem(): (file: File) => string {
  const t = useTranslations("installerErrors") as unknown as LooseTranslator;
  return ({ name }) => {
    const { reason, params } = fileNameError(name) ?? new InstallerError("extension_unsupported", { fileName: name });
    return t(reason, params);
  };
}

/** Asks for the installer, and says why one cannot be published. */
function FileField({ publishing: { place, reading, rejection, reject, take } }: { publishing: Publishing }) {
  const t = useTranslations("upload");
  const nameProblem = useNameProblem();
  const isBusy = reading.status === "reading" || (reading.status === "read" && rejection === null);
  return (
    <>
      <UnfinishedUploads place={place?.environment.id ?? null} />
      <FileDrop
        extensions={INSTALLER_KINDS}
        file={fileOf(reading)}
        disabled={isBusy}
        hint={t("dropHint")}
        icon={isBusy ? <Spinner /> : undefined}
        onFile={(file) => void take(file)}
        onReject={(_, file) => reject(nameProblem(file))}
        className="min-h-44"
      />
      <p role="status" className="sr-only">
        {isBusy && t("reading")}
      </p>
      {rejection && <Alert tone="danger">{rejection}</Alert>}
      {!rejection && reading.status === "refused" && (
        <Alert tone="danger" title={t("refused", { name: reading.file.name })}>
          {reading.message}
        </Alert>
      )}
    </>
  );
}

/** The installer, where it is published to, and what is published with it. */
function ReleaseFields(props: { publishing: Publishing; ready: NonNullable<Publishing["ready"]> }) {
  const { place, places, form, current, take } = props.publishing;
  const { reading, platforms } = props.ready;
  const nameProblem = useNameProblem();
  const running = current?.isRunning ?? false;
  return (
    <>
      <InstallerPreview
        reading={reading}
        environmentId={place ? place.environment.id : existingId(form.watch("environmentId"))}
        disabled={running}
        onFile={(file) => void take(file)}
        onReject={(file) => notify.error(nameProblem(file))}
      />
      {places && (
        <PlaceFields form={form} places={places} identifier={reading.installer.identifier} disabled={running} />
      )}
      <CreateReleaseFields
        form={form}
        installer={reading.installer}
        platforms={fittingPlatforms(platforms, reading.installer.kind)}
        fileName={reading.chosen.file.name}
        disabled={current?.state.phase === "adding"}
      />
      {current && <Violations publication={current.publication} state={current.state} />}
    </>
  );
}

/** The rules of the environment that refused the build. */
function Violations({ publication, state }: { publication: Publication; state: PublicationState }) {
  const [override, setOverride] = useState(publication.override);
  if (state.phase !== "failed" || state.problem === "file_unreadable" || state.problem.code !== "rule_violated") {
    return null;
  }
  return (
    <RuleViolations
      problem={state.problem}
      environmentId={state.added.environment?.id ?? publication.values.environmentId}
      override={override}
      onOverride={(next) => {
        publication.override = next;
        setOverride(next);
      }}
    />
  );
}

/** The file of a reading that has begun. */
function fileOf(reading: InstallerReading): File | null {
  if (reading.status === "none") return null;
  return reading.status === "read" ? reading.chosen.file : reading.file;
}

function existingId(environmentId: string): string | null {
  return environmentId === NEW || environmentId === "" ? null : environmentId;
}

/** Shown after publishing, with ways to share the release. */
function Published({ release, onAnother }: { release: PublishedRelease; onAnother?: () => void }) {
  const t = useTranslations("upload");
  const { repeated } = release;
  return (
    <>
      <DialogHeader>
        <DialogTitle className="flex items-center gap-2">
          <CircleCheck aria-hidden className="size-5 text-success" />
          {t(repeated ? "alreadyPublished" : "published", { name: releaseName(release) })}
        </DialogTitle>
        <DialogDescription role="status">{t(repeated ? "alreadyPublishedDescription" : "shareIt")}</DialogDescription>
      </DialogHeader>
      <DialogBody className="pb-5">
        <ShareChoices release={releaseSummary(release)} />
      </DialogBody>
      <DialogFooter>
        {onAnother && (
          <Button variant="secondary" onClick={onAnother}>
            {t("another")}
          </Button>
        )}
        <LinkButton href={releasePath(release.id)}>{t("openRelease")}</LinkButton>
      </DialogFooter>
    </>
  );
}
