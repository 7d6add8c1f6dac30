"use client";

import { Pencil, Plus, Trash2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { ActionMenu } from "@/components/common/action-menu";
import { DialogButton, type DialogButtonProps, RowDialogButton } from "@/components/common/dialog-button";
import { lazyDialog } from "@/components/common/lazy-dialog";
import { OpenedDialog } from "@/components/common/opened-dialog";
import { useDialog } from "@/components/common/use-dialog";
import type { App } from "@/lib/features/apps/schema";
import { contextPath, PAGES } from "@/lib/kernel/navigation/pages";
import type { AppDialogProps } from "./app-dialog";

// Loaded when it is opened for the first time, not with the list.
const AppDialog = lazyDialog(() => import("./app-dialog").then((file) => file.AppDialog));

export type CreateAppButtonProps = Pick<DialogButtonProps, "variant"> & Pick<AppDialogProps, "stay">;

/** Opens the dialog that adds an application. */
export function CreateAppButton({ variant, stay }: CreateAppButtonProps) {
  const t = useTranslations("apps");
  return (
    <DialogButton variant={variant} requestedAs="create-app" dialog={(dialog) => <AppDialog stay={stay} {...dialog} />}>
      <Plus aria-hidden />
      {t("create")}
    </DialogButton>
  );
}

/** Opens the dialog that changes an application, from its row. */
export function UpdateAppButton({ app }: { app: App }) {
  const t = useTranslations("apps");
  return (
    <RowDialogButton
      label={t("update", { name: app.name })}
      icon={<Pencil aria-hidden />}
      dialog={(dialog) => <AppDialog app={app} {...dialog} />}
    />
  );
}

/** What is seldom done with an application: change it, open its bin. */
export function AppMenu({ app }: { app: App }) {
  const common = useTranslations("common");
  const bin = useTranslations("bin");
  const update = useDialog();
  return (
    <>
      <ActionMenu
        name={app.name}
        actions={[
          { label: common("edit"), icon: <Pencil aria-hidden />, onSelect: update.show },
          { label: bin("title"), icon: <Trash2 aria-hidden />, href: contextPath(PAGES.bin, app.id) },
        ]}
      />
      <OpenedDialog state={update}>{(dialog) => <AppDialog app={app} {...dialog} />}</OpenedDialog>
    </>
  );
}
