"use client";

import { useRef, useState } from "react";
import { attachmentUpload } from "@/components/common/upload/attachment-upload";
import { useUploadGuard } from "@/components/common/upload/use-upload-guard";
import type { ApiProblem } from "@/lib/client/problem";
import type { Uploader, UploadSnapshot } from "@/lib/client/upload/uploader";

/** How an upload ended. */
type AttachmentOutcome = { fileId: string } | { problem: ApiProblem | "file_unreadable" } | null;

/** Uploads the file of a form. A file that is complete is not sent again when the form is sent again. */
export function useAttachment() {
  const [snapshot, setSnapshot] = useState<UploadSnapshot | null>(null);
  const uploader = useRef<Uploader | null>(null);
  const complete = useRef<{ file: File; fileId: string } | null>(null);
  useUploadGuard(snapshot !== null);

  /** @returns null if it was cancelled */
  const upload = async (file: File): Promise<AttachmentOutcome> => {
    if (complete.current?.file === file) return { fileId: complete.current.fileId };
    const running = attachmentUpload(file);
    uploader.current = running;
    setSnapshot(running.snapshot());
    const unsubscribe = running.subscribe(() => setSnapshot(running.snapshot()));
    try {
      const outcome = await running.run();
      if (outcome.status === "cancelled") return null;
      if (outcome.status === "failed") return { problem: outcome.problem };
      complete.current = { file, fileId: outcome.fileId };
      return { fileId: outcome.fileId };
    } finally {
      unsubscribe();
      uploader.current = null;
      setSnapshot(null);
    }
  };
  return {
    upload,
    /** Null while nothing is sent. */
    snapshot,
    pause: () => uploader.current?.pause(),
    resume: () => uploader.current?.resume(),
    cancel: () => uploader.current?.cancel(),
  };
}
