"use client";

import { useTranslations } from "next-intl";
import { useRef } from "react";
import { UploadProgress } from "@/components/common/upload/upload-progress";
import type { UploadSnapshot } from "@/lib/client/upload/uploader";
import type { Publication, PublicationState } from "./publication";

/** The progress of a publication that is running. */
export function PublicationProgress({ publication, state }: { publication: Publication; state: PublicationState }) {
  const t = useTranslations("upload");
  // While the release is being added, the upload is shown as it ended.
  const last = useRef<UploadSnapshot | null>(null);
  if (state.phase === "uploading") last.current = state.upload;
  const { size, name } = publication.reading.chosen.file;
  const snapshot = last.current ?? {
    phase: "done",
    sentBytes: size,
    totalBytes: size,
    resumedBytes: 0,
    bytesPerSecond: null,
    secondsLeft: null,
    retryAt: null,
  };
  return (
    <UploadProgress
      snapshot={snapshot}
      fileName={name}
      working={state.phase === "adding" ? t("publishing") : undefined}
      onPause={() => publication.pause()}
      onResume={() => publication.resume()}
    />
  );
}
