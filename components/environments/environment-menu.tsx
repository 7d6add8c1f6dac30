"use client";

import { Braces, Cog, FileKey2, KeyRound, PackageOpen, Pencil, Server, Smartphone, SquareTerminal } from "lucide-react";
import { useTranslations } from "next-intl";
import { ActionMenu } from "@/components/common/action-menu";
import { lazyDialog } from "@/components/common/lazy-dialog";
import type { MenuItem } from "@/components/common/menu";
import { OpenedDialog } from "@/components/common/opened-dialog";
import { useDialog } from "@/components/common/use-dialog";
import type { EnvironmentFields } from "./environment-actions";

// Loaded when it is opened for the first time, not with the list.
const EnvironmentDialog = lazyDialog(() => import("./environment-dialog").then((file) => file.EnvironmentDialog));

const CONFIGURATIONS = [
  { kind: "server", icon: <Server aria-hidden /> },
  { kind: "mobile", icon: <Smartphone aria-hidden /> },
  { kind: "cli", icon: <SquareTerminal aria-hidden /> },
] as const;

export type EnvironmentMenuProps = {
  environment: EnvironmentFields;
  /** The pages of the environment, its releases, variables and certificates; null if the user cannot open them. */
  manageHref: string | null;
  releasesHref: string | null;
  developmentHref: string | null;
  secureHref: string | null;
  certificatesHref: string | null;
  connectHref: string | null;
  mayUpdate: boolean;
};

/** The menu of an environment in a list. */
export function EnvironmentMenu({
  environment,
  manageHref,
  releasesHref,
  developmentHref,
  secureHref,
  certificatesHref,
  connectHref,
  mayUpdate,
}: EnvironmentMenuProps) {
  const t = useTranslations("environments");
  const variables = useTranslations("variables.title");
  const certificates = useTranslations("certificates");
  const update = useDialog();
  const actions: MenuItem[] = [
    ...(manageHref ? [{ label: t("manage"), icon: <Cog aria-hidden />, href: manageHref }] : []),
    ...(releasesHref ? [{ label: t("releases"), icon: <PackageOpen aria-hidden />, href: releasesHref }] : []),
    ...(developmentHref
      ? [{ label: variables("dev-variable"), icon: <Braces aria-hidden />, href: developmentHref }]
      : []),
    ...(secureHref ? [{ label: variables("secure-variable"), icon: <KeyRound aria-hidden />, href: secureHref }] : []),
    ...(certificatesHref
      ? [{ label: certificates("title"), icon: <FileKey2 aria-hidden />, href: certificatesHref }]
      : []),
    ...(mayUpdate ? [{ label: t("edit"), icon: <Pencil aria-hidden />, onSelect: update.show }] : []),
    ...(connectHref
      ? CONFIGURATIONS.map(({ kind, icon }) => ({
          label: t(`configuration.${kind}`),
          icon,
          href: `${connectHref}#${kind}`,
        }))
      : []),
  ];
  if (actions.length === 0) return null;
  return (
    <>
      <ActionMenu name={environment.name} actions={actions} />
      <OpenedDialog state={update}>
        {(dialog) => <EnvironmentDialog appId={environment.appId} environment={environment} {...dialog} />}
      </OpenedDialog>
    </>
  );
}
