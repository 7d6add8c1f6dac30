"use client";

import { INSTALLER_KINDS, type Installer } from "@slipway/installers";
import { CircleCheck } from "lucide-react";
import { useRouter } from "next/navigation";
import { useFormatter, useTranslations } from "next-intl";
import { useCallback, useEffect, useId, useRef, useState } from "react";
import { z } from "zod";
import { ConfirmDialog } from "@/components/common/confirm-dialog";
import { FileDrop } from "@/components/common/file-drop";
import { Form } from "@/components/common/form/form";
import type { SubmitResult } from "@/components/common/form/submit";
import { NOT_SUBMITTED } from "@/components/common/form/submit";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { LinkButton } from "@/components/common/link-button";
import { releaseName } from "@/components/common/release-name";
import { removeUpload } from "@/components/common/upload/unfinished-uploads";
import { UploadProgress } from "@/components/common/upload/upload-progress";
import type { UploadOutcome } from "@/components/common/upload/uploader";
import { useUpload } from "@/components/common/upload/use-upload";
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
import { useOperation, useProblemTexts } from "@/lib/client/use-operation";
import type { Platform } from "@/lib/features/platforms/schema";
import {
  createTestingDeployFields,
  MAX_FILE_NAME,
  type PublishedRelease,
  type Release,
} from "@/lib/features/releases/schema";
import { releasePath } from "@/lib/kernel/navigation/pages";
import { CreateReleaseFields } from "./create-release-fields";
import { InstallerPreview } from "./installer-preview";
import { metadataRowsSchema } from "./metadata-rows";
import { removeDraft, storeDraft, storedDraft } from "./release-draft";
import { releaseSummary } from "./release-summary";
import { SharePanel } from "./share-panel";
import { UnfinishedUploads } from "./unfinished-uploads-notice";
import { useInstallerReading } from "./use-installer-reading";

/** The environment that a release is published to, and what it accepts. */
export type ReleasePlace = {
  environment: { id: string; name: string };
  /** The bundle IDs and package names that the environment accepts, the app's own first. */
  identifiers: readonly string[];
  /** The active platforms. */
  platforms: readonly Pick<Platform, "id" | "name" | "kind">[];
};

/** The platforms that accept an installer. */
function fittingPlatforms(platforms: ReleasePlace["platforms"], kind: Installer["kind"]) {
  const own = kind === "ipa" ? "ios" : "android";
  return platforms.filter((platform) => platform.kind === own || platform.kind === "other");
}

const { shape } = createTestingDeployFields;

export const createReleaseSchema = z.object({
  description: shape.description,
  fileName: z.string().trim().max(MAX_FILE_NAME),
  platformId: z.string(),
  iosEnabled: z.boolean(),
  mandatory: z.boolean(),
  metadata: metadataRowsSchema,
});

export type CreateReleaseValues = z.input<typeof createReleaseSchema>;

export type CreateReleaseDialogProps = DialogProps & {
  place: ReleasePlace;
  /** A file that was dropped on the page. */
  firstFile: File | null;
  /** Starts another upload. */
  onAnother: () => void;
};

/**
 * Publishes a release: reads the chosen installer on this device, fills in the form, uploads the file in parts, and
 * publishes it. A failure at any point keeps the form.
 */
export function CreateReleaseDialog({ place, firstFile, open, onOpenChange, onAnother }: CreateReleaseDialogProps) {
  const t = useTranslations("upload");
  const common = useTranslations("common");
  const format = useFormatter();
  const router = useRouter();
  const formId = useId();
  const { environment, identifiers, platforms } = place;

  const refuse = useCallback(
    ({ identifier, kind }: Installer) => {
      if (!identifiers.includes(identifier)) {
        const expected = format.list(identifiers, { type: "disjunction" });
        return t("wrongIdentifier", { found: identifier, expected });
      }
      return fittingPlatforms(platforms, kind).length === 0 ? t("noPlatform") : null;
    },
    [identifiers, platforms, format, t],
  );
  const { reading, read } = useInstallerReading(refuse);
  const upload = useUpload(environment.id);
  const create = useOperation("apps/create-testing-deploy", { quiet: true });
  const withTexts = useProblemTexts();
  const [published, setPublished] = useState<Release | null>(null);
  const [rejection, setRejection] = useState<string | null>(null);
  const [confirmingClose, setConfirmingClose] = useState<"discard" | "stop" | null>(null);

  const [draft] = useState(() => storedDraft(environment.id));
  const form = useZodForm(createReleaseSchema, {
    defaultValues: {
      description: draft?.description ?? "",
      fileName: draft?.fileName ?? "",
      platformId: "",
      iosEnabled: true,
      mandatory: false,
      metadata: draft?.metadata ?? [],
    },
  });
  const { isSubmitting, isDirty } = form.formState;

  const take = useCallback(
    async (file: File) => {
      setRejection(null);
      const outcome = await read(file);
      if (outcome.status !== "read") return;
      const { kind } = outcome.installer;
      form.setValue("platformId", fittingPlatforms(platforms, kind)[0]?.id ?? "");
      form.setValue("iosEnabled", kind === "ipa");
    },
    [read, form, platforms],
  );

  // Focuses the only field that has to be filled in. The dialog moves the focus when the file field is removed, before
  // this effect runs.
  const chosen = reading.status === "read" ? reading.chosen : null;
  useEffect(() => {
    if (chosen) form.setFocus("description");
  }, [chosen, form]);

  const first = useRef(firstFile);
  useEffect(() => {
    if (first.current) void take(first.current);
    first.current = null;
  }, [take]);

  const failed = (message: string): SubmitResult => {
    form.setError("root", { message });
    return { ok: false, problem: { title: "", detail: message, errors: [] } };
  };

  const explain = (problem: Extract<UploadOutcome, { status: "failed" }>["problem"]): SubmitResult => {
    if (problem === "file_unreadable") return failed(t("fileChanged"));
    if (problem.code === "checksum_mismatch") return failed(t("checksumMismatch"));
    const { title, detail } = withTexts(problem);
    return failed(`${title}. ${detail}`);
  };

  const publish = async (values: z.output<typeof createReleaseSchema>): Promise<SubmitResult> => {
    if (reading.status !== "read") {
      const message = t("fileRequired");
      setRejection(message);
      return failed(message);
    }
    const { chosen, installer } = reading;
    const { description, fileName, metadata } = form.getValues();
    storeDraft(environment.id, { description, fileName, metadata });
    const outcome = await upload.start(chosen);
    if (outcome.status === "cancelled") return NOT_SUBMITTED;
    if (outcome.status === "failed") return explain(outcome.problem);

    const result = await create.run({
      environmentId: environment.id,
      fileId: outcome.fileId,
      version: installer.version,
      buildNumber: installer.buildNumber,
      ...values,
    });
    if (!result.ok) {
      const { title, detail, errors } = result.problem;
      return errors.length > 0 ? result : failed(`${title}. ${detail}`);
    }
    removeUpload({ fingerprint: chosen.fingerprint, place: environment.id });
    removeDraft(environment.id);
    show(result.data);
    return result;
  };

  const show = ({ repeated, ...release }: PublishedRelease) => {
    const name = releaseName(release);
    setPublished(release);
    router.refresh();
    // The notification has no actions, because they cannot be pressed while the dialog is open; the dialog has them.
    notify[repeated ? "info" : "success"](t(repeated ? "alreadyPublished" : "published", { name }), {
      description: repeated ? t("alreadyPublishedDescription") : undefined,
    });
  };

  const requestClose = () => {
    if (isSubmitting) setConfirmingClose("stop");
    else if (published === null && (isDirty || reading.status === "read")) setConfirmingClose("discard");
    else onOpenChange(false);
  };

  const close = () => {
    upload.leave();
    if (confirmingClose === "discard") removeDraft(environment.id);
    onOpenChange(false);
  };

  return (
    <Dialog open={open} onOpenChange={(next) => (next ? onOpenChange(true) : requestClose())}>
      <DialogContent size="lg">
        {published ? (
          <Published release={published} onAnother={onAnother} />
        ) : (
          <>
            <DialogHeader>
              <DialogTitle>{t("title")}</DialogTitle>
              <DialogDescription>{t("description", { environment: environment.name })}</DialogDescription>
            </DialogHeader>
            <DialogBody>
              <Form id={formId} form={form} onSubmit={publish} className="gap-4 pt-1 pb-4">
                {reading.status !== "read" && (
                  <>
                    <UnfinishedUploads place={environment.id} />
                    <FileDrop
                      extensions={INSTALLER_KINDS}
                      file={reading.status === "none" ? null : reading.file}
                      disabled={reading.status === "reading"}
                      hint={t("dropHint")}
                      icon={reading.status === "reading" ? <Spinner /> : undefined}
                      onFile={(file) => void take(file)}
                      onReject={() => setRejection(t("wrongExtension"))}
                      className="min-h-44"
                    />
                    <p role="status" className="sr-only">
                      {reading.status === "reading" && t("reading")}
                    </p>
                    {rejection && <Alert tone="danger">{rejection}</Alert>}
                    {!rejection && reading.status === "refused" && (
                      <Alert tone="danger" title={t("refused", { name: reading.file.name })}>
                        {reading.message}
                      </Alert>
                    )}
                  </>
                )}
                {reading.status === "read" && (
                  <>
                    <InstallerPreview
                      reading={reading}
                      environmentId={environment.id}
                      disabled={isSubmitting}
                      onFile={(file) => void take(file)}
                      onReject={() => notify.error(t("wrongExtension"))}
                    />
                    <CreateReleaseFields
                      form={form}
                      installer={reading.installer}
                      platforms={fittingPlatforms(platforms, reading.installer.kind)}
                      fileName={reading.chosen.file.name}
                      disabled={isSubmitting}
                    />
                  </>
                )}
              </Form>
            </DialogBody>
            {isSubmitting && reading.status === "read" && upload.snapshot && (
              <div className="border-border border-t bg-muted/50 px-5 py-3.5">
                <UploadProgress
                  snapshot={upload.snapshot}
                  fileName={reading.chosen.file.name}
                  working={create.pending ? t("publishing") : undefined}
                  onPause={upload.pause}
                  onResume={upload.resume}
                />
              </div>
            )}
            <DialogFooter>
              {isSubmitting ? (
                <Button variant="secondary" onClick={upload.cancel} disabled={create.pending}>
                  {t("cancel")}
                </Button>
              ) : (
                <>
                  <Button variant="secondary" onClick={requestClose}>
                    {common("cancel")}
                  </Button>
                  <Button type="submit" form={formId} disabled={reading.status !== "read"}>
                    {t("submit")}
                  </Button>
                </>
              )}
            </DialogFooter>
          </>
        )}
        <ConfirmDialog
          open={confirmingClose !== null}
          onOpenChange={(next) => !next && setConfirmingClose(null)}
          title={confirmingClose === "stop" ? t("stop.title") : common("discard.title")}
          description={confirmingClose === "stop" ? t("stop.description") : common("discard.description")}
          cancelLabel={confirmingClose === "stop" ? t("stop.keep") : common("discard.keep")}
          confirmLabel={confirmingClose === "stop" ? t("stop.confirm") : common("discard.confirm")}
          onConfirm={close}
        />
      </DialogContent>
    </Dialog>
  );
}

/** Shown after publishing, with ways to share the release. */
function Published({ release, onAnother }: { release: Release; onAnother: () => void }) {
  const t = useTranslations("upload");
  return (
    <>
      <DialogHeader>
        <DialogTitle className="flex items-center gap-2">
          <CircleCheck aria-hidden className="size-5 text-success" />
          {t("published", { name: releaseName(release) })}
        </DialogTitle>
        <DialogDescription>{t("shareIt")}</DialogDescription>
      </DialogHeader>
      <DialogBody className="pb-5">
        <SharePanel release={releaseSummary(release)} />
      </DialogBody>
      <DialogFooter>
        <Button variant="secondary" onClick={onAnother}>
          {t("another")}
        </Button>
        <LinkButton href={releasePath(release.id)}>{t("openRelease")}</LinkButton>
      </DialogFooter>
    </>
  );
}
