"use client";

import type { BrowserDevice } from "@slipway/installers";
import { CircleCheck, Download, Info, Share2, Smartphone, TriangleAlert } from "lucide-react";
import { useRouter } from "next/navigation";
import { useNow, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { CopyButton } from "@/components/common/copy-button";
import { CopyField } from "@/components/common/copy-field";
import { LinkButton } from "@/components/common/link-button";
import { LoopbackNotice } from "@/components/common/loopback-notice";
import { QrCode } from "@/components/common/qr-code";
import { releaseName } from "@/components/common/releases/release-name";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";
import {
  type ReleaseInstallNote,
  type ReleaseInstallRefusal,
  releaseInstallability,
} from "@/lib/features/releases/rules";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { daysUntil } from "./days-until";
import { startDownload } from "./download";
import type { ReleaseRights, ReleaseSummary } from "./release-summary";
import { useDevice } from "./use-device";
import { useInstall } from "./use-install";
import { useNativeShare, useShareLink } from "./use-share-link";

export type InstallCardProps = {
  release: ReleaseSummary;
  rights: Pick<ReleaseRights, "download" | "create" | "update">;
  /** The person who published it; null if that is not known. */
  publisher: string | null;
  /** The files of its build, each with its name beside the others. */
  files: readonly { id: string; label: string; kind: "ipa" | "apk" | "aab" }[];
  /** The device as detected by the server. */
  device: BrowserDevice;
  /** The other releases of the app in this environment. */
  listHref: string;
  /** The releases for the other operating system, if there are any. */
  otherSystemHref: string | null;
  /** An APK of the same version and build, for a bundle that cannot be installed. */
  apkHref: string | null;
  /** The same version and build for the other operating system. */
  counterpartHref: string | null;
};

/**
 * Installing a release: the button, the QR code for a phone, or the reason why it cannot be installed and what to do.
 */
export function InstallCard(props: InstallCardProps) {
  const { release, rights } = props;
  const t = useTranslations("install");
  const device = useDevice(props.device);
  const now = useNow();
  const outcome = releaseInstallability(release.facts, device, { now, mayDownload: rights.download });
  const desktop = device.os === "desktop";
  const isForBoth = props.files.some(({ kind }) => kind === "ipa") && props.files.some(({ kind }) => kind === "apk");
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t(`title.${outcome.verdict}`)}</CardTitle>
      </CardHeader>
      <CardContent>
        {outcome.verdict === "install" && <InstallHere release={release} way={outcome.way} notes={outcome.notes} />}
        {outcome.verdict === "other-device" && (
          <OtherDevice release={release} on={isForBoth ? "both" : outcome.on} notes={isForBoth ? [] : outcome.notes} />
        )}
        {outcome.verdict === "refused" && <Refused {...props} reason={outcome.reason} uncertain={outcome.uncertain} />}
        {desktop && outcome.verdict === "refused" && (
          <ShareLink release={release} warned={outcome.reason === "needs-https"} />
        )}
        {!desktop && !device.inAppBrowser && <ShareOnPhone release={release} />}
        {desktop &&
          rights.download &&
          props.files.map(({ id, label }) => (
            <Button key={id} variant="secondary" onClick={() => startDownload(id)}>
              <Download aria-hidden />
              {props.files.length > 1 ? t("downloadFile", { file: label }) : t("download")}
            </Button>
          ))}
      </CardContent>
    </Card>
  );
}

function InstallHere({
  release,
  way,
  notes,
}: {
  release: ReleaseSummary;
  way: "itms-services" | "apk";
  notes: ReleaseInstallNote[];
}) {
  const t = useTranslations("install");
  const { install, pending, installStarted } = useInstall(release.id);
  const inAppBrowser = notes.some((note) => note.kind === "in-app-browser");
  const enterprise = notes.some((note) => note.kind === "trust-developer");
  // The browser does not tell whether the profile lists this device.
  const registered = notes.find((note) => note.kind === "registered-devices");
  return (
    <>
      <p role="status" className="flex items-start gap-2 text-pretty leading-5">
        {registered && !installStarted ? (
          <Info aria-hidden className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
        ) : (
          <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />
        )}
        {installStarted
          ? t(`next.${way === "apk" ? "apk" : "ios"}`, { name: release.displayName })
          : registered
            ? t("registered", { count: registered.count })
            : t(enterprise ? "enterprise" : "ready")}
      </p>
      {/* On phones it stays at the bottom of the screen, within reach of the thumb. */}
      <div className="flex max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 max-lg:z-30 max-lg:border-border max-lg:border-t max-lg:bg-background max-lg:px-4 max-lg:pt-3 max-lg:pb-[max(0.75rem,env(safe-area-inset-bottom))]">
        <Button
          size="lg"
          variant={inAppBrowser ? "secondary" : "primary"}
          loading={pending}
          onClick={() => void install(way)}
          className="flex-1"
        >
          <Download aria-hidden />
          {t(installStarted ? "again" : "action")}
        </Button>
      </div>
      {installStarted && enterprise && (
        <ol className="flex list-decimal flex-col gap-1.5 ps-5 text-pretty leading-5">
          {TRUST_STEPS.map((step) => (
            <li key={step}>{t(`trust.${step}`)}</li>
          ))}
        </ol>
      )}
      {/* The card has said these already, and a notice above it names the browser to use. */}
      <Notes notes={notes.filter(({ kind }) => !SAID_BEFORE.includes(kind))} />
    </>
  );
}

const TRUST_STEPS = ["settings", "developer", "open"] as const;
const SAID_BEFORE: readonly ReleaseInstallNote["kind"][] = ["registered-devices", "trust-developer", "in-app-browser"];

function OtherDevice({
  release,
  on,
  notes,
}: {
  release: ReleaseSummary;
  on: "ios" | "android" | "both";
  notes: ReleaseInstallNote[];
}) {
  const t = useTranslations("install");
  const link = useShareLink(release.installUrl);
  return (
    <>
      <div className="flex flex-col items-center gap-3">
        <QrCode value={link} label={t("qr", { name: `${release.displayName} ${releaseName(release)}` })} />
        <p className="text-balance text-center text-muted-foreground leading-5">{t(`scan.${on}`)}</p>
      </div>
      <ShareLink release={release} />
      <Notes notes={notes} />
    </>
  );
}

/** @param warned whether the card has already said what the console's address lacks */
function ShareLink({ release, warned = false }: { release: ReleaseSummary; warned?: boolean }) {
  const t = useTranslations("install");
  const link = useShareLink(release.installUrl);
  return (
    <>
      <CopyField label={t("link")} value={link} />
      {!warned && <LoopbackNotice link={link} />}
    </>
  );
}

/** On phones: shares the link with other apps, or copies it. */
function ShareOnPhone({ release }: { release: ReleaseSummary }) {
  const t = useTranslations("install");
  const link = useShareLink(release.installUrl);
  const native = useNativeShare();
  if (!native) return <CopyButton value={link} text={t("copyLink")} size="lg" />;
  const share = async () => {
    try {
      await navigator.share({ title: `${release.displayName} ${releaseName(release)}`, url: link });
    } catch {
      // The user closed the share sheet; that is not an error.
    }
  };
  return (
    <Button variant="secondary" onClick={share}>
      <Share2 aria-hidden />
      {t("share")}
    </Button>
  );
}

function Refused({
  release,
  rights,
  publisher,
  listHref,
  otherSystemHref,
  apkHref,
  counterpartHref,
  reason,
  uncertain,
}: InstallCardProps & { reason: ReleaseInstallRefusal; uncertain: boolean }) {
  const t = useTranslations("install");
  const { install, pending } = useInstall(release.id);
  const otherReleases = (
    <LinkButton href={listHref} variant="secondary" prefetch={false}>
      {t("otherReleases")}
    </LinkButton>
  );
  /** The same build for this device or, without one, the list of the releases that are for it. */
  const otherSystem = (build: "iosBuild" | "androidBuild", list: "iosReleases" | "androidReleases") => {
    const href = counterpartHref ?? otherSystemHref;
    return (
      href && (
        <LinkButton href={href} prefetch={false} size="lg">
          {t(counterpartHref ? build : list)}
        </LinkButton>
      )
    );
  };
  const ways: Partial<Record<ReleaseInstallRefusal, ReactNode>> = {
    "ios-disabled": rights.update ? <AllowIos release={release} /> : otherReleases,
    "android-only": otherSystem("iosBuild", "iosReleases"),
    "ios-only": otherSystem("androidBuild", "androidReleases"),
    "needs-https": rights.create && <LinkButton href={PAGES.httpsGuide}>{t("httpsGuide")}</LinkButton>,
    bundle: apkHref ? (
      <LinkButton href={apkHref} prefetch={false}>
        {t("counterpart")}
      </LinkButton>
    ) : (
      otherReleases
    ),
  };
  const isForPublishers = PUBLISHERS_REASONS.includes(reason) && !rights.create;
  const description =
    reason === "bundle" && apkHref
      ? t("refused.bundle.counterpart")
      : isForPublishers
        ? t("refused.ask", { named: publisher === null ? "no" : "yes", name: publisher ?? "" })
        : t(`refused.${reason}.description`);
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-start gap-2.5">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warning" />
        <div className="flex min-w-0 flex-col gap-1">
          <p className="font-medium leading-5">{t(`refused.${reason}.title`)}</p>
          <p className="text-pretty text-muted-foreground leading-5">{description}</p>
        </div>
      </div>
      <div className="flex flex-col gap-2">
        {reason in ways ? ways[reason] : otherReleases}
        {uncertain && rights.download && (
          <Button
            variant="ghost"
            loading={pending}
            onClick={() => void install(release.facts.kind === "ipa" ? "itms-services" : "apk")}
          >
            {t("anyway")}
          </Button>
        )}
      </div>
    </div>
  );
}

/** What only another file mends. Those who cannot publish are told whom to ask. */
const PUBLISHERS_REASONS: readonly ReleaseInstallRefusal[] = [
  "app-store-profile",
  "bundle",
  "expired-profile",
  "no-profile",
  "split",
  "unsigned",
];

/** Sets the flag that allows installation on iPhones and iPads. */
function AllowIos({ release }: { release: ReleaseSummary }) {
  const t = useTranslations("install");
  const router = useRouter();
  const update = useOperation("apps/update-testing-deploy");
  const allow = async () => {
    const result = await update.run({ id: release.id, iosEnabled: true });
    if (!result.ok) return;
    notify.success(t("allowed", { name: releaseName(release) }));
    router.refresh();
  };
  return (
    <Button loading={update.pending} onClick={allow}>
      <Smartphone aria-hidden />
      {t("allow")}
    </Button>
  );
}

function Notes({ notes }: { notes: readonly ReleaseInstallNote[] }) {
  const t = useTranslations("install.notes");
  const now = useNow();
  if (notes.length === 0) return null;
  const text = (note: ReleaseInstallNote) => {
    if (note.kind === "registered-devices") return t("registered-devices", { count: note.count });
    if (note.kind === "ends-soon") return t("ends-soon", { days: daysUntil(new Date(note.at), now) });
    return t(note.kind);
  };
  return (
    <ul className="flex flex-col gap-2">
      {notes.map((note) => (
        <li key={note.kind} className="flex items-start gap-2 text-pretty text-muted-foreground leading-5">
          <Info aria-hidden className="mt-0.5 size-4 shrink-0" />
          {text(note)}
        </li>
      ))}
    </ul>
  );
}
