"use client";

import { useLocale, useTranslations } from "next-intl";
import { useReducer } from "react";
import { useStore } from "@/components/common/store";
import { browserTransport } from "@/components/common/upload/browser-transport";
import { removeUpload, type UnfinishedUpload, unfinishedUploads } from "@/components/common/upload/unfinished-uploads";
import { useActiveUploads } from "@/components/common/upload/upload-locks";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { formatBytes } from "@/lib/kernel/format-bytes";
import { publications } from "./publications";

export type UnfinishedUploadsProps = {
  /** The environment, or null for all uploads of this browser. */
  place: string | null;
};

/** The interrupted uploads of this browser. Choosing the same file resumes one. */
export function UnfinishedUploads({ place }: UnfinishedUploadsProps) {
  const t = useTranslations("upload");
  const locale = useLocale();
  const ofThisPage = useStore(publications, (list) => list);
  const isActive = useActiveUploads();
  const [, rerender] = useReducer((count: number) => count + 1, 0);
  // Read with each rendering: an upload that was published in the meantime is no longer stored.
  const shown = unfinishedUploads().filter(
    (upload) =>
      (place === null || upload.place === place) &&
      !ofThisPage.some(({ reading }) => reading.chosen.fingerprint === upload.fingerprint) &&
      isActive?.(upload) === false,
  );

  const discard = (upload: UnfinishedUpload) => {
    removeUpload(upload);
    rerender();
    // If the server does not respond, it removes the upload by itself within a day.
    void browserTransport.abort(upload.uploadId).catch(() => undefined);
  };

  return shown.map((upload) => (
    <Alert
      key={upload.uploadId}
      tone="info"
      title={t("unfinished.title", { name: upload.fileName, size: formatBytes(upload.size, locale) })}
      action={
        <Button variant="secondary" size="sm" onClick={() => discard(upload)}>
          {t("unfinished.discard")}
        </Button>
      }
    >
      {t("unfinished.description")}
    </Alert>
  ));
}
