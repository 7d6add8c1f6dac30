"use client";

import { Download } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { lazy, Suspense, useSyncExternalStore } from "react";
import { hydratedLater } from "@/components/common/hydrated-later";
import { LinkButton } from "@/components/common/link-button";
import { releaseName } from "@/components/common/releases/release-name";
import { releasePath } from "@/lib/kernel/navigation/pages";
import type { InstallAnyButtonProps } from "./install-any-button";
import type { InstallButtonProps } from "./install-button";
import type { InstallCardProps } from "./install-card";

// The rules of installation are loaded only where a button that installs is shown. Next preloads what `dynamic` itself imports.
const InstallButtonNow = dynamic(() => import("./install-button").then((file) => file.InstallButton));
const InstallButtonLater = hydratedLater(() => import("./install-button").then((file) => file.InstallButton));
const InstallCardNow = dynamic(() => import("./install-card").then((file) => file.InstallCard));
const InstallCardLater = hydratedLater(() =>
  import("./computer-install-card").then((file) => file.ComputerInstallCard),
);

/** On a phone, it is what the page is for; on a computer, it leads elsewhere. */
export function InstallButton(props: InstallButtonProps) {
  return props.rendered?.os === "desktop" ? <InstallButtonLater {...props} /> : <InstallButtonNow {...props} />;
}

/** On a phone, its button is what the page is for; on a computer, it is mostly read: a link and its QR code. */
export function InstallCard(props: InstallCardProps) {
  return props.device.os === "desktop" ? <InstallCardLater {...props} /> : <InstallCardNow {...props} />;
}

// If it cannot be loaded, the page of the release installs it.
const InstallAnyButton = lazy(() =>
  import("./install-any-button").then(
    (file) => ({ default: file.InstallAnyButton }),
    () => ({ default: ReleaseLink }),
  ),
);

/** The width below which `lg:hidden` shows something. */
const PHONE = "(width < 62rem)";

function subscribeToWidth(onChange: () => void): () => void {
  const query = window.matchMedia(PHONE);
  query.addEventListener("change", onChange);
  return () => query.removeEventListener("change", onChange);
}

/** The button of a row that installs, on phones only. Until its code is there, it leads to the page of the release. */
export function InstallInList(props: InstallAnyButtonProps) {
  const isPhone = useSyncExternalStore(
    subscribeToWidth,
    () => window.matchMedia(PHONE).matches,
    () => false,
  );
  const link = <ReleaseLink {...props} />;
  if (!isPhone) return link;
  return (
    <Suspense fallback={link}>
      <InstallAnyButton {...props} />
    </Suspense>
  );
}

/** Leads to the page of the first release. */
function ReleaseLink({ releases: [lead], variant, className }: InstallAnyButtonProps) {
  const t = useTranslations("install");
  if (!lead) return null;
  return (
    <LinkButton href={releasePath(lead.id)} prefetch={false} variant={variant} className={className}>
      <Download aria-hidden />
      {t("action")}
      <span className="sr-only"> {releaseName(lead)}</span>
    </LinkButton>
  );
}
