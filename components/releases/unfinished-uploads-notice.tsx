"use client";

import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { formatBytes } from "@/components/common/format-bytes";
import { browserTransport } from "@/components/common/upload/browser-transport";
import { removeUpload, type UnfinishedUpload, unfinishedUploads } from "@/components/common/upload/unfinished-uploads";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";

/** The interrupted uploads of this browser for an environment. Choosing the same file resumes one. */
export function UnfinishedUploads({ place }: { place: string }) {
  const t = useTranslations("upload");
  const locale = useLocale();
  const [uploads, setUploads] = useState(() => unfinishedUploads().filter((upload) => upload.place === place));

  const discard = (upload: UnfinishedUpload) => {
    removeUpload(upload);
    setUploads((current) => current.filter((one) => one !== upload));
    // If the server does not respond, it removes the upload by itself within a day.
    void browserTransport.abort(upload.uploadId).catch(() => undefined);
  };

  return uploads.map((upload) => (
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
