"use client";

import { Cog, PackageOpen, Pencil, Plus, Server, Smartphone, SquareTerminal } from "lucide-react";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { ActionMenu } from "@/components/common/action-menu";
import type { MenuItem } from "@/components/common/menu";
import { useDialog } from "@/components/common/use-dialog";
import { Button } from "@/components/ui/button";
import type { Environment } from "@/lib/features/environments/schema";
import type { ConfigurationKind } from "./configuration-dialog";

// What opens on demand comes with the first press, not with the list.
const EnvironmentDialog = dynamic(() => import("./environment-dialog").then((file) => file.EnvironmentDialog), {
  ssr: false,
});
const ConfigurationDialog = dynamic(() => import("./configuration-dialog").then((file) => file.ConfigurationDialog), {
  ssr: false,
});

/** What an environment's dialogs need of it. */
export type EnvironmentFields = Pick<Environment, "id" | "appId" | "name" | "status" | "identifiers">;

/** Adds an environment to an application. */
export function CreateEnvironmentButton({ appId }: { appId: string }) {
  const t = useTranslations("environments");
  const { opening, open, onOpenChange, show } = useDialog();
  return (
    <>
      <Button onClick={show}>
        <Plus aria-hidden />
        {t("create")}
      </Button>
      {opening > 0 && <EnvironmentDialog key={opening} appId={appId} open={open} onOpenChange={onOpenChange} />}
    </>
  );
}

/** Changes an environment. */
export function UpdateEnvironmentButton({ environment }: { environment: EnvironmentFields }) {
  const t = useTranslations("environments");
  const { opening, open, onOpenChange, show } = useDialog();
  return (
    <>
      <Button
        variant="secondary"
        aria-label={t("update", { name: environment.name })}
        onClick={show}
        className="max-lg:size-10 max-lg:px-0"
      >
        <Pencil aria-hidden />
        <span className="max-lg:sr-only">{t("edit")}</span>
      </Button>
      {opening > 0 && (
        <EnvironmentDialog
          key={opening}
          appId={environment.appId}
          environment={environment}
          open={open}
          onOpenChange={onOpenChange}
        />
      )}
    </>
  );
}

const CONFIGURATIONS = [
  { kind: "server", icon: <Server aria-hidden /> },
  { kind: "mobile", icon: <Smartphone aria-hidden /> },
  { kind: "cli", icon: <SquareTerminal aria-hidden /> },
] as const;

export type EnvironmentMenuProps = {
  environment: EnvironmentFields;
  /** Where it is managed, and where its releases are, as far as the person gets there. */
  manageHref: string | null;
  releasesHref: string | null;
  mayUpdate: boolean;
  mayConfigure: boolean;
  /** Where API tokens are made, for whoever makes them. */
  tokensHref: string | null;
};

/** What can be done with an environment of a list. */
export function EnvironmentMenu({
  environment,
  manageHref,
  releasesHref,
  mayUpdate,
  mayConfigure,
  tokensHref,
}: EnvironmentMenuProps) {
  const t = useTranslations("environments");
  const update = useDialog();
  const configuration = useConfigurationDialog();
  const actions: MenuItem[] = [
    ...(manageHref ? [{ label: t("manage"), icon: <Cog aria-hidden />, href: manageHref }] : []),
    ...(releasesHref ? [{ label: t("releases"), icon: <PackageOpen aria-hidden />, href: releasesHref }] : []),
    ...(mayUpdate ? [{ label: t("edit"), icon: <Pencil aria-hidden />, onSelect: update.show }] : []),
    ...(mayConfigure
      ? CONFIGURATIONS.map(({ kind, icon }) => ({
          label: t(`configuration.${kind}`),
          icon,
          onSelect: () => configuration.show(kind),
        }))
      : []),
  ];
  if (actions.length === 0) return null;
  return (
    <>
      <ActionMenu name={environment.name} actions={actions} />
      {update.opening > 0 && (
        <EnvironmentDialog
          key={update.opening}
          appId={environment.appId}
          environment={environment}
          open={update.open}
          onOpenChange={update.onOpenChange}
        />
      )}
      {configuration.opening > 0 && (
        <ConfigurationDialog
          key={`configuration ${configuration.opening}`}
          kind={configuration.kind}
          environment={environment}
          tokensHref={tokensHref}
          open={configuration.open}
          onOpenChange={configuration.onOpenChange}
        />
      )}
    </>
  );
}

export type ConfigurationButtonsProps = { environment: Pick<Environment, "id" | "name">; tokensHref: string | null };

/** The three configurations of an environment, each behind a button. */
export function ConfigurationButtons({ environment, tokensHref }: ConfigurationButtonsProps) {
  const t = useTranslations("environments.configuration");
  const { opening, open, onOpenChange, kind, show } = useConfigurationDialog();
  return (
    <>
      {CONFIGURATIONS.map((configuration) => (
        <Button key={configuration.kind} variant="secondary" onClick={() => show(configuration.kind)}>
          {configuration.icon}
          {t(configuration.kind)}
        </Button>
      ))}
      {opening > 0 && (
        <ConfigurationDialog
          key={opening}
          kind={kind}
          environment={environment}
          tokensHref={tokensHref}
          open={open}
          onOpenChange={onOpenChange}
        />
      )}
    </>
  );
}

/** A dialog of which there are three kinds. */
function useConfigurationDialog() {
  const { show: open, ...dialog } = useDialog();
  const [kind, setKind] = useState<ConfigurationKind>("server");
  const show = (wanted: ConfigurationKind) => {
    setKind(wanted);
    open();
  };
  return { ...dialog, kind, show };
}
