"use client";

import { useTranslations } from "next-intl";
import { CopyButton, type CopyButtonProps } from "@/components/common/copy-button";
import { useShareLink } from "./use-share-link";

export type CopyLinkButtonProps = Pick<CopyButtonProps, "className"> & {
  /** The URL according to the console's settings. */
  installUrl: string;
};

/** Copies the URL of a release's page. */
export function CopyLinkButton({ installUrl, className }: CopyLinkButtonProps) {
  const t = useTranslations("install");
  return <CopyButton value={useShareLink(installUrl)} text={t("copyLink")} variant="primary" className={className} />;
}
