"use client";

import { Download } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { lazy, Suspense, useSyncExternalStore } from "react";
import { LinkButton } from "@/components/common/link-button";
import { releaseName } from "@/components/common/releases/release-name";
import { releasePath } from "@/lib/kernel/navigation/pages";
import type { InstallAnyButtonProps } from "./install-any-button";

// The rules of installation are loaded only where a button that installs is shown.
export const InstallButton = dynamic(() => import("./install-button").then((file) => file.InstallButton));
export const InstallCard = dynamic(() => import("./install-card").then((file) => file.InstallCard));

const InstallAnyButton = lazy(async () => ({ default: (await import("./install-any-button")).InstallAnyButton }));

/** The width below which `lg:hidden` shows something. */
const PHONE = "(width < 62rem)";

function subscribeToWidth(onChange: () => void): () => void {
  const query = window.matchMedia(PHONE);
  query.addEventListener("change", onChange);
  return () => query.removeEventListener("change", onChange);
}

/** The button of a row that installs, on phones only. Until its code is there, it leads to the page of the release. */
export function InstallInList(props: InstallAnyButtonProps) {
  const t = useTranslations("install");
  const isPhone = useSyncExternalStore(
    subscribeToWidth,
    () => window.matchMedia(PHONE).matches,
    () => false,
  );
  const { releases, variant, className } = props;
  const [lead] = releases;
  if (!lead) return null;
  const link = (
    <LinkButton href={releasePath(lead.id)} prefetch={false} variant={variant} className={className}>
      <Download aria-hidden />
      {t("action")}
      <span className="sr-only"> {releaseName(lead)}</span>
    </LinkButton>
  );
  if (!isPhone) return link;
  return (
    <Suspense fallback={link}>
      <InstallAnyButton {...props} />
    </Suspense>
  );
}
