"use client";

import type { Installer } from "@slipway/installers";
import { InstallerError } from "@slipway/installers";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useRef, useState } from "react";
import type { ChosenFile } from "@/components/common/upload/browser-upload";
import { type FileHashing, fileSha256 } from "@/components/common/upload/file-sha256";
import { fileFingerprint } from "@/components/common/upload/fingerprint";
import type { LooseTranslator } from "@/lib/kernel/i18n/translator";

/** The state of reading the chosen file. */
export type InstallerReading =
  | { status: "none" }
  | { status: "reading"; file: File }
  /** The file cannot be published; `message` says why, in the user's language. */
  | { status: "refused"; file: File; message: string }
  | {
      status: "read";
      chosen: ChosenFile;
      installer: Installer;
      /** The app's icon as an object URL, or null. */
      iconUrl: string | null;
    };

/**
 * Reads installers on this device, before anything is uploaded.
 *
 * @param refuse returns the reason why a readable installer is not the right one, or null
 */
export function useInstallerReading(refuse: (installer: Installer) => string | null): {
  reading: InstallerReading;
  read(file: File): Promise<InstallerReading>;
  /** Keeps the hash and the icon of the file when the component is removed. */
  handOver(): void;
} {
  const t = useTranslations("upload");
  const reasons = useTranslations("installerErrors") as unknown as LooseTranslator;
  const [reading, setReading] = useState<InstallerReading>({ status: "none" });
  const hashing = useRef<FileHashing | null>(null);
  const latest = useRef<File | null>(null);
  const iconUrl = reading.status === "read" ? reading.iconUrl : null;

  const handedOver = useRef(false);
  const handOver = useCallback(() => {
    handedOver.current = true;
  }, []);

  const release = useCallback((work: () => void) => {
    if (!handedOver.current) work();
  }, []);

  useEffect(() => () => release(() => hashing.current?.stop()), [release]);
  useEffect(() => {
    if (iconUrl) return () => release(() => URL.revokeObjectURL(iconUrl));
  }, [iconUrl, release]);

  const inspect = useCallback(
    async (file: File): Promise<InstallerReading> => {
      try {
        // The reader is loaded with the first file, not with the page.
        const { blobSource, inspectInstaller } = await import("@slipway/installers");
        const [installer, fingerprint] = await Promise.all([
          inspectInstaller(blobSource(file), { fileName: file.name }),
          fileFingerprint(file),
        ]);
        const message = refuse(installer);
        if (message !== null) return { status: "refused", file, message };
        hashing.current = fileSha256(file);
        const { icon } = installer;
        const picture = icon && new Blob([new Uint8Array(icon.bytes)], { type: icon.contentType });
        const chosen = { file, fingerprint, sha256: hashing.current.sha256 };
        return { status: "read", chosen, installer, iconUrl: picture && URL.createObjectURL(picture) };
      } catch (error) {
        const message = error instanceof InstallerError ? reasons(error.reason, error.params) : t("unreadable");
        return { status: "refused", file, message };
      }
    },
    [refuse, reasons, t],
  );

  const read = useCallback(
    async (file: File) => {
      latest.current = file;
      release(() => hashing.current?.stop());
      handedOver.current = false;
      setReading({ status: "reading", file });
      const outcome = await inspect(file);
      // Another file may have been chosen in the meantime.
      if (latest.current === file) setReading(outcome);
      return outcome;
    },
    [inspect, release],
  );

  return { reading, read, handOver };
}
