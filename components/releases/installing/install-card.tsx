"use client";

import { type DeviceFacts, type Reason, reasonWords } from "@slipway/installers";
import { CircleCheck, Download, Info, Share2, Smartphone, TriangleAlert } from "lucide-react";
import { useRouter } from "next/navigation";
import { useFormatter, useNow, useTranslations } from "next-intl";
import type { ComponentType, ReactNode } from "react";
import { CopyButton } from "@/components/common/copy-button";
import { LinkButton } from "@/components/common/link-button";
import { releaseName } from "@/components/common/releases/release-name";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import { cn } from "@/components/ui/cn";
import { notify } from "@/lib/client/notify";
import { useOperation } from "@/lib/client/use-operation";
import {
  notesForTesters,
  platformKindOf,
  type ReasonKey,
  reasonKey,
  releaseVerdict,
} from "@/lib/features/releases/rules";
import { PAGES } from "@/lib/kernel/navigation/pages";
import type { ReleaseRights, ReleaseSummary } from "../release-summary";
import { useNativeShare, useShareLink } from "../sharing/use-share-link";
import { startDownload } from "./download";
import { ReasonDrawing, ReasonNote, ReasonSteps } from "./reason-text";
import { useDevice } from "./use-device";
import { useInstall } from "./use-install";

export type InstallCardProps = {
  release: ReleaseSummary;
  rights: Pick<ReleaseRights, "download" | "create" | "update">;
  /** The person who published it; null if that is not known. */
  publisher: string | null;
  /** The files of its build, each with its name beside the others. */
  files: readonly { id: string; label: string; kind: "ipa" | "apk" | "aab" }[];
  /** The device as detected by the server. */
  device: DeviceFacts;
  /** On an iPhone or iPad, the user's registered ones, and whether the profile lists them; null if it does not list devices. */
  ownDevices: readonly { name: string; covered: boolean }[] | null;
  /** The button that registers a device. */
  registerDevice: ReactNode;
  /** The other releases of the app in this environment. */
  listHref: string;
  /** The releases for the other operating system, if there are any. */
  otherSystemHref: string | null;
  /** An APK of the same version and build, for a bundle that cannot be installed. */
  apkHref: string | null;
  /** The same version and build for the other operating system. */
  counterpartHref: string | null;
  /** Whether the button stays in the card on phones too, because the page has others at the bottom of the screen. */
  inPlace?: boolean;
};

/** What the card has on computers alone, so that phones do not load it. */
export type ComputerParts = {
  /** The QR code and the link that open the release on a phone. */
  OtherDevice: ComponentType<{ release: ReleaseSummary; on: "ios" | "android" | "both" }>;
  /** The link to the release. `warned`: whether the card has already said what the console's address lacks. */
  ShareLink: ComponentType<{ release: ReleaseSummary; warned?: boolean }>;
};

/**
 * Installing a release: the button, the QR code for a phone, or the reason why it cannot be installed and what to do.
 */
export function InstallCard({ computer, ...props }: InstallCardProps & { computer?: ComputerParts }) {
  const { release, rights } = props;
  const t = useTranslations("install");
  const device = useDevice(props.device);
  const now = useNow();
  const { refusal, way, notes } = releaseVerdict(release.facts, device, { now, mayDownload: rights.download });
  const shown = rights.create ? notes : notesForTesters(notes);
  const desktop = device.os === "desktop";
  const isForBoth = props.files.some(({ kind }) => kind === "ipa") && props.files.some(({ kind }) => kind === "apk");
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t(`title.${refusal ? "refused" : desktop ? "other-device" : "install"}`)}</CardTitle>
      </CardHeader>
      <CardContent>
        {way && <InstallHere {...props} way={way} notes={shown} />}
        {desktop && !refusal && computer && (
          <computer.OtherDevice release={release} on={isForBoth ? "both" : platformKindOf(release.facts.kind)} />
        )}
        {refusal && <Refused {...props} reason={refusal} />}
        {desktop && refusal && computer && (
          <computer.ShareLink release={release} warned={refusal.code === "manifest_not_https"} />
        )}
        {!desktop && device.browser !== "in-app" && <ShareOnPhone release={release} />}
        {desktop &&
          rights.download &&
          props.files.map(({ id, label }) => (
            <Button key={id} variant="secondary" onClick={() => startDownload(id)}>
              <Download aria-hidden />
              {props.files.length > 1 ? t("downloadFile", { file: label }) : t("download")}
            </Button>
          ))}
        {desktop && !refusal && !isForBoth && <Notes release={release} notes={shown} />}
      </CardContent>
    </Card>
  );
}

function InstallHere({
  release,
  ownDevices,
  registerDevice,
  inPlace = false,
  way,
  notes,
}: InstallCardProps & {
  way: "itms-services" | "apk";
  notes: readonly Reason[];
}) {
  const t = useTranslations("install");
  const format = useFormatter();
  const all = useTranslations();
  const { install, pending, installStarted } = useInstall(release);
  const inAppBrowser = notes.some(({ code }) => code === "browser_cannot_install");
  const enterprise = notes.find(({ code }) => code === "enterprise_trust");
  const now = useNow();
  // Facts that the browser does not report: whether the profile lists this device, or its version.
  const unknown = notes.find(({ severity }) => severity === "unknown");
  // No browser reports which of the devices this one is.
  const own = unknown?.code === "device_not_enrolled" ? (ownDevices ?? []) : [];
  const isCovered = own.some(({ covered }) => covered);
  const named = (covered: boolean) => {
    const names = own.filter((device) => device.covered === covered).map(({ name }) => name);
    return names.length > 0 && t(`own.${covered ? "covered" : "missing"}`, { names: format.list(names) });
  };
  const state = () => {
    if (own.length > 0) return [named(true), named(false)].filter(Boolean).join(" ");
    if (unknown?.code === "device_not_enrolled") return t("registered", { count: Number(unknown.params.count) });
    if (unknown) {
      const { detail, steps } = reasonWords(all, unknown, release.facts.kind, now);
      return [detail, ...steps].join(" ");
    }
    return t(enterprise ? "enterprise" : "ready");
  };
  return (
    <>
      <p role="status" className="flex items-start gap-2 text-pretty leading-5">
        {unknown && !isCovered && !installStarted ? (
          <Info aria-hidden className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
        ) : (
          <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />
        )}
        {installStarted ? t(`next.${way === "apk" ? "apk" : "ios"}`, { name: release.displayName }) : state()}
      </p>
      {unknown?.code === "device_not_enrolled" && ownDevices?.length === 0 && registerDevice}
      {/* On phones it stays at the bottom of the screen, within reach of the thumb. */}
      <div
        className={cn(
          "flex",
          !inPlace &&
            "max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 max-lg:z-30 max-lg:border-border max-lg:border-t max-lg:bg-background max-lg:px-4 max-lg:pt-3 max-lg:pb-[max(0.75rem,env(safe-area-inset-bottom))]",
        )}
      >
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
        <div className="flex flex-col gap-1.5 text-pretty leading-5">
          <ReasonSteps steps={reasonWords(all, enterprise, release.facts.kind, now).steps} />
          <ReasonDrawing reason={enterprise} />
        </div>
      )}
      {/* The card has said these already, and a notice above it names the browser to use. */}
      <Notes release={release} notes={notes.filter((note) => note !== unknown && !SAID_BEFORE.includes(note.code))} />
    </>
  );
}

const SAID_BEFORE: readonly Reason["code"][] = ["enterprise_trust", "browser_cannot_install"];

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
  registerDevice,
  reason,
}: InstallCardProps & { reason: Reason }) {
  const t = useTranslations("install");
  const words = reasonWords(useTranslations(), reason, release.facts.kind, useNow());
  const key = reasonKey(reason);
  const { install, pending } = useInstall(release);
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
  const ways: Partial<Record<ReasonKey, ReactNode>> = {
    ios_disabled: rights.update ? <AllowIos release={release} /> : otherReleases,
    wrong_system_android: otherSystem("iosBuild", "iosReleases"),
    wrong_system_ios: otherSystem("androidBuild", "androidReleases"),
    manifest_not_https: rights.create && <LinkButton href={PAGES.httpsGuide}>{t("httpsGuide")}</LinkButton>,
    device_not_registered: registerDevice,
    bundle_without_apk: apkHref ? (
      <LinkButton href={apkHref} prefetch={false}>
        {t("counterpart")}
      </LinkButton>
    ) : (
      otherReleases
    ),
  };
  const isForPublishers = PUBLISHERS_REASONS.includes(reason.code) && !rights.create;
  const description =
    reason.code === "bundle_without_apk" && apkHref
      ? t("apkInstead")
      : isForPublishers
        ? t("ask", { named: publisher === null ? "no" : "yes", name: publisher ?? "" })
        : [words.detail, ...words.steps].join(" ");
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-start gap-2.5">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warning" />
        <div className="flex min-w-0 flex-col gap-1">
          <p className="font-medium leading-5">{words.title}</p>
          <p className="text-pretty text-muted-foreground leading-5">{description}</p>
        </div>
      </div>
      <div className="flex flex-col gap-2">
        {key in ways ? ways[key] : otherReleases}
        {/* The device may have a newer system than the browser reports, and no longer the version that was installed from here. */}
        {["system_too_old", "version_lower"].includes(reason.code) && rights.download && (
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

/** Problems that only another file solves. Users who cannot publish see whom to ask. */
const PUBLISHERS_REASONS: readonly Reason["code"][] = [
  "app_store_build",
  "bundle_without_apk",
  "certificate_expired",
  "certificate_revoked",
  "device_not_registered",
  "entitlement_not_in_profile",
  "no_profile",
  "profile_expired",
  "simulator_build",
  "split_without_base",
  "target_sdk_too_low",
  "test_only",
  "unsigned",
  "v1_signature_only",
  "wrong_architecture",
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

function Notes({ release, notes }: { release: ReleaseSummary; notes: readonly Reason[] }) {
  if (notes.length === 0) return null;
  return (
    <ul className="flex flex-col gap-2">
      {notes.map((note) => (
        <ReasonNote key={note.code} reason={note} kind={release.facts.kind} />
      ))}
    </ul>
  );
}
