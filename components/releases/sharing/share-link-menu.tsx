"use client";

import { Ban, Pencil, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { ActionMenu } from "@/components/common/action-menu";
import { CopyButton } from "@/components/common/copy-button";
import type { ShareLink } from "@/lib/features/share-links/schema";
import { ShareLinkDialogs, useShareLinkDialogs } from "./share-link-dialogs";
import { useShareLink } from "./use-share-link";

/** The menu of a link in the list. */
export function ShareLinkMenu({ link }: { link: ShareLink }) {
  const t = useTranslations("shareLinks");
  const common = useTranslations("common");
  const router = useRouter();
  const { name, ended } = link;
  const url = useShareLink(link.url);
  const states = useShareLinkDialogs();
  return (
    <span className="flex items-center justify-end">
      <CopyButton value={url} label={name} iconOnly variant="ghost" size="icon-sm" />
      <ActionMenu
        name={name}
        actions={[
          { label: common("edit"), icon: <Pencil aria-hidden />, onSelect: states.edit.show },
          ...(ended ? [] : [{ label: t("endConfirm"), icon: <Ban aria-hidden />, onSelect: states.end.show }]),
          {
            label: common("delete"),
            icon: <Trash2 aria-hidden />,
            onSelect: states.deletion.show,
            destructive: true as const,
          },
        ]}
      />
      <ShareLinkDialogs link={link} states={states} onChange={() => router.refresh()} />
    </span>
  );
}
