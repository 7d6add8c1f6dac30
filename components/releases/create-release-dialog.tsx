"use client";

import { INSTALLER_KINDS, type Installer } from "@slipway/installers";
import { CircleCheck } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { useCallback, useEffect, useId, useRef, useState } from "react";
import { ConfirmDialog } from "@/components/common/confirm-dialog";
import { FileDrop } from "@/components/common/file-drop";
import { Form } from "@/components/common/form/form";
import { NOT_SUBMITTED, type SubmitResult } from "@/components/common/form/submit";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { LinkButton } from "@/components/common/link-button";
import { releaseName } from "@/components/common/release-name";
import { unfinishedUploads } from "@/components/common/upload/unfinished-uploads";
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
import { ApiCallError, query } from "@/lib/client/client";
import { notify } from "@/lib/client/notify";
import { useProblemTexts } from "@/lib/client/use-operation";
import type { Platform } from "@/lib/features/platforms/schema";
import type { PublishingPlaces, Release } from "@/lib/features/releases/schema";
import { releasePath } from "@/lib/kernel/navigation/pages";
import { CreateReleaseFields } from "./create-release-fields";
import { InstallerPreview } from "./installer-preview";
import { PlaceFields } from "./place-fields";
import { proposedPlace } from "./proposed-place";
import { isRunning, Publication } from "./publication";
import { PublicationProgress } from "./publication-progress";
import { addPublication, removePublication } from "./publications";
import { removeDraft, storedDraft } from "./release-draft";
import { releaseSummary } from "./release-summary";
import { NEW, releaseValuesSchema } from "./release-values";
import { SharePanel } from "./share-panel";
import { UnfinishedUploads } from "./unfinished-uploads";
import { useFailureTexts } from "./use-failure-texts";
import { type InstallerReading, useInstallerReading } from "./use-installer-reading";
import { usePublication } from "./use-publication";

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

/** What the dialog offers for a publication; kept with it while no dialog shows it. */
const offers = new WeakMap<
  Publication,
  Pick<CreateReleaseDialogProps, "place"> & { places: PublishingPlaces | null }
>();

export type CreateReleaseDialogProps = DialogProps & {
  /** The environment; null if the application and the environment are found by the installer. */
  place: ReleasePlace | null;
  /** A file that was dropped on the page. */
  firstFile: File | null;
  /** Starts another upload. */
  onAnother?: () => void;
  /** A publication that was begun in another dialog. */
  publication?: Publication;
};

/**
 * Publishes a release: reads the chosen installer on this device, fills in the form, uploads the file in parts, and
 * publishes it. During the upload the form can be changed, and the dialog can be closed: the upload then continues. A
 * failure at any point keeps the form.
 */
export function CreateReleaseDialog(props: CreateReleaseDialogProps) {
  const { firstFile, open, onOpenChange, onAnother } = props;
  const t = useTranslations("upload");
  const common = useTranslations("common");
  const format = useFormatter();
  const formId = useId();
  const explain = useFailureTexts();
  const withTexts = useProblemTexts();
  const offer = props.publication && offers.get(props.publication);
  const place = offer ? offer.place : props.place;
  const [places, setPlaces] = useState<PublishingPlaces | null>(offer?.places ?? null);
  const [publication, setPublication] = useState<Publication | null>(props.publication ?? null);
  const state = usePublication(publication);
  const running = state !== null && isRunning(state);

  const refuse = useCallback(
    ({ identifier, kind }: Installer) => {
      if (place === null) return null;
      if (!place.identifiers.includes(identifier)) {
        const expected = format.list(place.identifiers, { type: "disjunction" });
        return t("wrongIdentifier", { found: identifier, expected });
      }
      return fittingPlatforms(place.platforms, kind).length === 0 ? t("noPlatform") : null;
    },
    [place, format, t],
  );
  const { reading: own, read, handOver } = useInstallerReading(refuse);
  const reading: InstallerReading = own.status === "none" && publication ? publication.reading : own;
  const [rejection, setRejection] = useState<string | null>(null);
  const [confirmingClose, setConfirmingClose] = useState(false);

  const [draft] = useState(() => storedDraft(place?.environment.id ?? NEW));
  const form = useZodForm(releaseValuesSchema, {
    defaultValues: publication?.values ?? {
      appId: "",
      appName: "",
      environmentId: place?.environment.id ?? "",
      environmentName: "",
      description: draft?.description ?? "",
      fileName: draft?.fileName ?? "",
      platformId: "",
      iosEnabled: true,
      mandatory: false,
      metadata: draft?.metadata ?? [],
    },
  });
  const { isDirty } = form.formState;

  /** Finds where an installer belongs. @returns why it cannot be published, or null */
  const findPlaces = useCallback(
    async ({ identifier, displayName, kind }: Installer, fingerprint: string): Promise<string | null> => {
      let found: PublishingPlaces;
      try {
        found = await query("apps/get-publishing-places", { identifier });
      } catch (error) {
        if (!(error instanceof ApiCallError)) throw error;
        const { title, detail } = withTexts(error.problem);
        return `${title}. ${detail}`;
      }
      if (found.items.length === 0 && found.inactiveApp) return t("place.inactive", { name: found.inactiveApp.name });
      if (found.items.length === 0 && !found.mayCreateApp) return t("place.none", { identifier });
      if (fittingPlatforms(found.platforms, kind).length === 0) return t("noPlatform");
      setPlaces(found);
      const interrupted = unfinishedUploads().filter((upload) => upload.fingerprint === fingerprint);
      const proposed = proposedPlace(
        found,
        displayName,
        interrupted.map((upload) => upload.place),
      );
      for (const [name, value] of Object.entries(proposed)) form.setValue(name as keyof typeof proposed, value);
      form.setValue("platformId", fittingPlatforms(found.platforms, kind)[0]?.id ?? "");
      return null;
    },
    [form, t, withTexts],
  );

  const take = useCallback(
    async (file: File) => {
      setRejection(null);
      setPlaces(null);
      if (publication) removePublication(publication);
      setPublication(null);
      const outcome = await read(file);
      if (outcome.status !== "read") return;
      const { installer, chosen } = outcome;
      form.setValue("iosEnabled", installer.kind === "ipa");
      if (place) form.setValue("platformId", fittingPlatforms(place.platforms, installer.kind)[0]?.id ?? "");
      else setRejection(await findPlaces(installer, chosen.fingerprint));
    },
    [read, form, place, findPlaces, publication],
  );

  const platforms = place?.platforms ?? places?.platforms ?? null;
  const isReady = reading.status === "read" && platforms !== null;

  // Focuses the only field that has to be filled in. The dialog moves the focus when the file field is removed, before
  // this effect runs.
  const chosen = isReady ? reading.chosen : null;
  useEffect(() => {
    if (chosen) form.setFocus("description");
  }, [chosen, form]);

  const first = useRef(firstFile);
  useEffect(() => {
    if (first.current) void take(first.current);
    first.current = null;
  }, [take]);

  // A dialog that was closed stays mounted until it is opened again.
  useEffect(() => {
    if (!publication || !open) return;
    publication.shown.set(true);
    const subscription = form.watch(() => {
      publication.values = form.getValues();
    });
    return () => {
      subscription.unsubscribe();
      publication.shown.set(false);
    };
  }, [publication, form, open]);

  // Shows in the form why the publication stopped.
  useEffect(() => {
    if (!publication || !state || !open) return;
    if (state.phase === "invalid") void form.trigger(undefined, { shouldFocus: true });
    if (state.phase === "cancelled") removePublication(publication);
    if (state.phase !== "failed") return;
    const { message, fields } = explain(state);
    for (const { path, message: text } of fields)
      form.setError(path as "description", { type: "server", message: text });
    if (message !== null) form.setError("root", { message });
  }, [publication, state, form, explain, open]);

  const publish = async (): Promise<SubmitResult> => {
    if (reading.status !== "read" || !platforms) {
      setRejection(t("fileRequired"));
      return NOT_SUBMITTED;
    }
    const values = form.getValues();
    // A publication that failed continues where it stopped; one that was canceled begins again.
    let current = state?.phase === "cancelled" ? null : publication;
    if (current === null || current.place !== values.environmentId) {
      if (publication) removePublication(publication);
      current = new Publication({ reading, values });
      offers.set(current, { place, places });
      handOver();
      setPublication(current);
      addPublication(current);
    } else current.values = values;
    void current.run();
    return { ok: true };
  };

  const close = () => {
    if (publication) {
      publication.leave();
      removePublication(publication);
    }
    removeDraft(place?.environment.id ?? NEW);
    onOpenChange(false);
  };

  const requestClose = () => {
    if (running) onOpenChange(false);
    else if (state?.phase === "published") {
      if (publication) removePublication(publication);
      onOpenChange(false);
    } else if (isDirty || reading.status === "read") setConfirmingClose(true);
    else onOpenChange(false);
  };

  const another = () => {
    if (publication) removePublication(publication);
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
                {!isReady && (
                  <>
                    <UnfinishedUploads place={place?.environment.id ?? null} />
                    <FileDrop
                      extensions={INSTALLER_KINDS}
                      file={reading.status === "none" ? null : fileOf(reading)}
                      disabled={isBusy(reading, rejection)}
                      hint={t("dropHint")}
                      icon={isBusy(reading, rejection) ? <Spinner /> : undefined}
                      onFile={(file) => void take(file)}
                      onReject={() => setRejection(t("wrongExtension"))}
                      className="min-h-44"
                    />
                    <p role="status" className="sr-only">
                      {isBusy(reading, rejection) && t("reading")}
                    </p>
                    {rejection && <Alert tone="danger">{rejection}</Alert>}
                    {!rejection && reading.status === "refused" && (
                      <Alert tone="danger" title={t("refused", { name: reading.file.name })}>
                        {reading.message}
                      </Alert>
                    )}
                  </>
                )}
                {isReady && (
                  <>
                    <InstallerPreview
                      reading={reading}
                      environmentId={place ? place.environment.id : existingId(form.watch("environmentId"))}
                      disabled={running}
                      onFile={(file) => void take(file)}
                      onReject={() => notify.error(t("wrongExtension"))}
                    />
                    {places && (
                      <PlaceFields
                        form={form}
                        places={places}
                        identifier={reading.installer.identifier}
                        disabled={running}
                      />
                    )}
                    <CreateReleaseFields
                      form={form}
                      installer={reading.installer}
                      platforms={fittingPlatforms(platforms, reading.installer.kind)}
                      fileName={reading.chosen.file.name}
                      disabled={state?.phase === "adding"}
                    />
                  </>
                )}
              </Form>
            </DialogBody>
            {publication && state && running && (
              <div className="border-border border-t bg-muted/50 px-5 py-3.5">
                <PublicationProgress publication={publication} state={state} />
              </div>
            )}
            <DialogFooter>
              {publication && running ? (
                <>
                  <Button variant="secondary" onClick={() => publication.cancel()} disabled={state?.phase === "adding"}>
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
                  <Button type="submit" form={formId} disabled={!isReady}>
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

/** The file of a reading that has begun. */
function fileOf(reading: Exclude<InstallerReading, { status: "none" }>): File {
  return reading.status === "read" ? reading.chosen.file : reading.file;
}

/** Whether a file is being read, or its place is being looked for. */
function isBusy({ status }: InstallerReading, rejection: string | null): boolean {
  return status === "reading" || (status === "read" && rejection === null);
}

function existingId(environmentId: string): string | null {
  return environmentId === NEW || environmentId === "" ? null : environmentId;
}

/** Shown after publishing, with ways to share the release. */
function Published({ release, onAnother }: { release: Release; onAnother?: () => void }) {
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
