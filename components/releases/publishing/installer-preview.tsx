"use client";

import {
  androidName,
  DESKTOP,
  INSTALLER_KINDS,
  type Installer,
  installerDetails,
  installerFacts,
  installVerdict,
  kindFromFileName,
  limits,
} from "@slipway/installers";
import { useNow, useTranslations } from "next-intl";
import { useEffect, useId, useMemo, useRef, useState } from "react";
import { Bytes } from "@/components/common/bytes";
import { useRelativeFormat } from "@/components/common/relative-format";
import { releaseName } from "@/components/common/releases/release-name";
import { unfinishedUploads } from "@/components/common/upload/unfinished-uploads";
import { Alert } from "@/components/ui/alert";
import { Avatar } from "@/components/ui/avatar";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { query } from "@/lib/client/client";
import { reasonKey } from "@/lib/features/releases/rules";
import type { Release } from "@/lib/features/releases/schema";
import { ProfileSummary } from "../installer-facts";
import { NEW } from "./release-values";
import type { InstallerReading } from "./use-installer-reading";

export type InstallerPreviewProps = {
  reading: Extract<InstallerReading, { status: "read" }>;
  /** Null while it is not known or does not exist. */
  environmentId: string | null;
  disabled: boolean;
  /** Called when another file was chosen. */
  onFile: (file: File) => void;
  /** Called when the chosen file does not have the name of an installer. */
  onReject: (file: File) => void;
};

/** The details of the chosen file, and notices to read before it is uploaded. */
export function InstallerPreview({ reading, environmentId, disabled, onFile, onReject }: InstallerPreviewProps) {
  const t = useTranslations("upload");
  const { installer, iconUrl, chosen } = reading;
  const { file } = chosen;
  const input = useRef<HTMLInputElement>(null);
  const id = useId();

  const take = (next: File | undefined) => {
    if (!next) return;
    if (input.current) input.current.value = "";
    if (kindFromFileName(next.name)) onFile(next);
    else onReject(next);
  };

  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start gap-x-3.5 gap-y-3 rounded-lg border border-border bg-card p-3.5">
        <Avatar shape="square" name={installer.displayName} src={iconUrl} className="size-12" />
        <div className="flex min-w-0 flex-1 flex-col gap-1">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="break-words font-medium">{installer.displayName}</span>
            <Badge tone="outline" className="font-mono">
              .{installer.kind}
            </Badge>
          </p>
          <p className="break-all font-mono text-[0.8125rem] text-muted-foreground leading-4.5">
            {installer.identifier}
          </p>
          <p className="text-pretty text-muted-foreground text-xs leading-4.5">
            <span className="break-all">{file.name}</span> · <Bytes value={file.size} />
            <MinimumSystem installer={installer} />
          </p>
          {installer.kind === "ipa" && (
            <p className="text-pretty text-xs leading-4.5">
              <ProfileSummary installer={installer} />
            </p>
          )}
        </div>
        <Button
          variant="secondary"
          size="sm"
          className="max-lg:w-full"
          disabled={disabled}
          onClick={() => input.current?.click()}
        >
          {t("changeFile")}
        </Button>
        <input
          ref={input}
          id={id}
          type="file"
          hidden
          accept={INSTALLER_KINDS.map((kind) => `.${kind}`).join(",")}
          aria-label={t("changeFile")}
          onChange={(event) => take(event.target.files?.[0])}
        />
      </div>
      <Notices reading={reading} environmentId={environmentId} />
    </div>
  );
}

function MinimumSystem({ installer }: { installer: Installer }) {
  const t = useTranslations("releases.facts");
  const { minOs, kind } = installer;
  if (minOs === null) return null;
  return (
    <>
      {" · "}
      {kind === "ipa" ? t("iosOrLater", { version: minOs }) : t("orLater", { version: androidName(minOs) })}
    </>
  );
}

/** Notices: no device can install it, the version already exists, an upload is resumed. */
function Notices({ reading, environmentId }: Pick<InstallerPreviewProps, "reading" | "environmentId">) {
  const t = useTranslations("upload");
  const install = useTranslations("install.reasons");
  const relative = useRelativeFormat();
  const now = useNow();
  const { installer, chosen } = reading;
  const existing = useExistingRelease(environmentId, installer);
  const { fingerprint } = chosen;
  // Determined when the file is chosen: once the first part is sent, every upload is an unfinished one.
  const resumes = useMemo(
    () =>
      unfinishedUploads().some(
        (upload) => upload.fingerprint === fingerprint && upload.place === (environmentId ?? NEW),
      ),
    [fingerprint, environmentId],
  );
  // Only facts of the installer; how the console is opened does not matter here.
  const facts = installerFacts(installerDetails(installer), installer);
  const refusal = installVerdict(facts, DESKTOP, { now: new Date() }).reasons.find(
    ({ severity }) => severity === "blocks",
  );
  return (
    <>
      {refusal && (
        <Alert tone="warning" title={install(`${reasonKey(refusal)}.title`)}>
          {t("stillPublished")}
        </Alert>
      )}
      {existing && (
        <Alert tone="info">
          {t("twin", { name: releaseName(existing), when: relative(new Date(existing.deployDate), now) })}
        </Alert>
      )}
      {installer.kind !== "ipa" && installer.resourcesRead === false && (
        <Alert tone="info">{t("resourcesUnread", { limitMb: limits.MAX_COMPRESSED_RESOURCES_BYTES / 2 ** 20 })}</Alert>
      )}
      {resumes && <Alert tone="info">{t("goesOn")}</Alert>}
    </>
  );
}

/** A release of the same version and build that already exists in the environment. */
function useExistingRelease(environmentId: string | null, installer: Installer): Release | null {
  const { version, buildNumber, kind } = installer;
  const [existing, setExisting] = useState<Release | null>(null);

  useEffect(() => {
    const controller = new AbortController();
    setExisting(null);
    if (environmentId === null) return;
    query("apps/get-testing-deploys", { environmentId, version, limit: 100 }, { signal: controller.signal })
      .then(({ items }) => {
        const same = items.find((release) => release.buildNumber === buildNumber && release.installer.kind === kind);
        setExisting(same ?? null);
      })
      // The notice is optional; publishing does not depend on it.
      .catch(() => undefined);
    return () => controller.abort();
  }, [environmentId, version, buildNumber, kind]);

  return existing;
}
